/** Tells what makes a server's entry run another program, or the same one for somebody else. With `npx`, `node` or `docker`, the arguments say which program runs. */
import path from 'node:path';
import type { StdioUpstream } from '../../shared/model/config.ts';

/** Run what their first argument names. What follows are options of that program. */
const byFirstArgument = /^(?:npx|bunx|uvx|node|tsx|python[\d.]*w?|py|ruby|perl|php)$/;
/** Run what some of their arguments name. */
const byArguments =
  /^(?:npm|pnpm|yarn|bun|deno|uv|pipx|docker|podman|nerdctl|java|go|cargo|dotnet|env|sudo|doas|nohup|xargs|flatpak|snap|nix|ssh|wsl|cmd|powershell|pwsh|(?:ba|z|da|fi|k|c|tc)?sh)$/;
/** Options without a value that do not choose the program. */
const plainOptions = new Set(['-y', '--yes', '-q', '--quiet', '-s', '--silent', '-m', '-u']);

/** Whether two commands run the same program. */
export function runsTheSame(one: StdioUpstream, other: StdioUpstream): boolean {
  if (one.command !== other.command) return false;
  const name = path
    .basename(one.command.replaceAll('\\', '/'))
    .toLowerCase()
    .replace(/\.(?:exe|cmd|bat|ps1)$/, '');
  const byFirst = byFirstArgument.test(name);
  const isRelative = /[\\/]/.test(one.command) && !path.isAbsolute(one.command);
  if (!byFirst && !byArguments.test(name)) return !isRelative || one.cwd === other.cwd;
  const chosen = byFirst ? programArguments : (args: readonly string[]) => args;
  return one.cwd === other.cwd && JSON.stringify(chosen(one.args)) === JSON.stringify(chosen(other.args));
}

/** Those up to the one that names the program; all of them where an option may take it as its value. */
function programArguments(args: readonly string[]): readonly string[] {
  const first = args.findIndex((arg) => !plainOptions.has(arg));
  return args[first]?.startsWith('-') ? args : args.slice(0, first + 1);
}

/** Variables that make a program load other code, run under another name or trust another party. */
const loaderVariable =
  /^(?:PATH|PATHEXT|COMSPEC|SYSTEMROOT|HOME|USERPROFILE|APPDATA|CLASSPATH|BASH_ENV|ENV|IFS|PS4|SHELLOPTS|BASHOPTS|ZDOTDIR|GCONV_PATH|PERL.*|PYTHON.*|RUBY.*|PHP.*|_?JAVA_.*|(?:LD|DYLD|NODE|BUN|DENO|ELECTRON|PIP|UV|GEM|BUNDLE|JDK|DOTNET|CORECLR|COR|GIT|NPM_CONFIG|YARN|PNPM|DOCKER|LUA|XDG|SSL|OPENSSL|CURL|REQUESTS)_.*)$/;
/** Variables that name where a program sends what it knows, such as `GITHUB_HOST` or `HTTPS_PROXY`. */
const addressVariable = /(?:^|_)(?:URL|URI|HOST|HOSTNAME|ENDPOINT|SERVER|BASE|ADDRESS|DOMAIN|PORT|PROXY|REGISTRY|WEBHOOK)(?:_|$)/;

export const leadsElsewhere = (variable: string): boolean => {
  const name = variable.toUpperCase();
  return loaderVariable.test(name) || addressVariable.test(name);
};
