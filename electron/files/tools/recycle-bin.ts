/** Moves a file to Windows' recycle bin without the app, by the system's own PowerShell. */
import { spawn } from 'node:child_process';
import path from 'node:path';

/**
 * The path arrives as a variable, so nothing in it is a command. Only fixed disks have a recycle bin: elsewhere the same call
 * deletes for good.
 */
const SCRIPT = [
  "$ErrorActionPreference = 'Stop'",
  '$file = $env:FILEBRIDGE_RECYCLE',
  "if ((New-Object IO.DriveInfo ([IO.Path]::GetPathRoot($file))).DriveType -ne 'Fixed') { exit 3 }",
  'Add-Type -AssemblyName Microsoft.VisualBasic',
  "[Microsoft.VisualBasic.FileIO.FileSystem]::DeleteFile($file, 'OnlyErrorDialogs', 'SendToRecycleBin')",
].join('; ');

/** A first start of PowerShell takes seconds. */
const LIMIT_MS = 20_000;

const powerShell = (): string =>
  path.join(process.env.SystemRoot ?? 'C:\\Windows', 'System32', 'WindowsPowerShell', 'v1.0', 'powershell.exe');

/** False where it cannot be done: then the file is as it was. */
export async function toRecycleBin(file: string, program = powerShell()): Promise<boolean> {
  const script = Buffer.from(SCRIPT, 'utf16le').toString('base64');
  const args = ['-NoLogo', '-NoProfile', '-NonInteractive', '-EncodedCommand', script];
  return await new Promise((resolve) => {
    const child = spawn(program, args, {
      env: { ...process.env, FILEBRIDGE_RECYCLE: file },
      stdio: 'ignore',
      windowsHide: true,
      timeout: LIMIT_MS,
    });
    child.once('error', () => resolve(false));
    child.once('close', (code) => resolve(code === 0));
  });
}
