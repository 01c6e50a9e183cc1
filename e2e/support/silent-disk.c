/*
 * Loaded before a program (LD_PRELOAD), makes the calls to files below SILENT_AT wait as long as the file SILENT_WHILE is there, as those to a
 * network share do whose server is gone. With SILENT_READS only reading waits: names are answered from a cache.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define REAL(name) \
  static __typeof__(name) *real; \
  if (!real) real = dlsym(RTLD_NEXT, #name)

static int isSilent(void) {
  REAL(access);
  const char *until = getenv("SILENT_WHILE");
  return until && real(until, F_OK) == 0;
}

static void await(const char *name) {
  const char *at = getenv("SILENT_AT");
  if (at && name && strncmp(name, at, strlen(at)) == 0)
    while (isSilent()) usleep(10000);
}

static void awaitName(const char *name) {
  if (!getenv("SILENT_READS")) await(name);
}

static void awaitFile(int file) {
  REAL(readlink);
  char link[64], name[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = real(link, name, sizeof name - 1);
  if (length <= 0) return;
  name[length] = 0;
  await(name);
}

#define OPEN(call) \
  int call(const char *name, int flags, ...) { \
    REAL(call); \
    va_list more; \
    va_start(more, flags); \
    int mode = va_arg(more, int); \
    va_end(more); \
    awaitName(name); \
    return real(name, flags, mode); \
  }
OPEN(open)
OPEN(open64)

char *realpath(const char *name, char *resolved) {
  REAL(realpath);
  awaitName(name);
  return real(name, resolved);
}

int statx(int directory, const char *name, int flags, unsigned mask, struct statx *found) {
  REAL(statx);
  awaitName(name);
  return real(directory, name, flags, mask, found);
}

int access(const char *name, int mode) {
  REAL(access);
  awaitName(name);
  return real(name, mode);
}

int scandir64(const char *name, struct dirent64 ***names, int (*filter)(const struct dirent64 *),
              int (*compare)(const struct dirent64 **, const struct dirent64 **)) {
  REAL(scandir64);
  awaitName(name);
  return real(name, names, filter, compare);
}

ssize_t read(int file, void *bytes, size_t length) {
  REAL(read);
  awaitFile(file);
  return real(file, bytes, length);
}

ssize_t pread64(int file, void *bytes, size_t length, off64_t offset) {
  REAL(pread64);
  awaitFile(file);
  return real(file, bytes, length, offset);
}
