/**
 * Names and places that agents may not read or write: what usually holds credentials, and what programs run from. Names are recognised
 * anywhere, in projects, in copies of a home and on other disks; places hold from the root of a disk.
 */
import path from 'node:path';
import { compilePatterns, type PathPattern, type PathPatterns } from './path-patterns.ts';

type Row = readonly [pattern: PathPattern, reason: string];

/** Words that may stand beside the keyword in a name: where the secret is used, or whose it is. */
const about =
  '(?:prod|production|staging|stage|dev|development|local|test|live|qa|uat|all|export|admin|root|user|my|app|db|database|aws|gcp|azure|google|github|gitlab)';
/** Endings of data, or none: a source file about passwords is no password. */
const data =
  '(?:\\.(?:json[c5]?|ya?ml|toml|ini|txt|text|csv|tsv|xml|properties|conf|cfg|db|sqlite3?|plist|xlsx?|docx?|ods|odt))?';
/** `secrets.production.json`, `shop-credentials.txt`: after any other words. */
const storeOfSecrets = new RegExp(
  `^(?:.+[._ -])?(?:credentials?|creds|secrets|passwords|api[_-]?keys?|access[_-]?keys?|client[_-]?secrets?|recovery[_-]codes|seed[_-]phrase)(?:[._ -]${about})*${data}$`,
);
/** `password.txt`, `github_token`: words that names such as `reset_password.txt` have too, so only after a few others. */
const oneSecret = new RegExp(
  `^(?:${about}[._ -])*(?:password|passwd|passphrase|pass|(?:(?:access|refresh|auth|bearer)[_-]?)?token|private[_-]?key|ssh-key|mnemonic)(?:[._ -]${about})*${data}$`,
);
/** Not as text or table: many files with a harmless content have that name. */
const secretSettings = new RegExp(`^(?:.+[._ -])?secret(?:[._ -]${about})*\\.(?:json|ya?ml|toml|ini|properties)$`);
const kubeconfig = /^(?:.*[._-])?kubeconfig(?:-[^.]*)?(?:\.(?:ya?ml|json|conf|txt))?$/;

export const credentialNames: readonly Row[] = [
  [/\.(?:pem|key|p12|pfx|pkcs12|p8|pk8|jks|keystore|bks|ppk|priv|keytab|agekey)$/, 'private keys'],
  [/\.(?:kdbx?|psafe3|1pif|1pux|enpassdb|keyring|kwl|keychain(?:-db)?)$/, 'password stores and keyrings'],
  [/\.(?:ovpn|wg\.conf|rdg|secrets?|tfvars(?:\.json)?|tfstate)$/, 'connections and infrastructure with their secrets'],
  [/_(?:rsa|dsa|ecdsa|ed25519)$/, 'SSH keys, named after where they are used'],
  [/^id_(?:rsa(?:[._-].*)?|(?:dsa|ecdsa|ed25519|xmss).*)$/, 'SSH keys'],
  [{ noCopy: /^id_[^.]+(?:\.pub)?(?:~|\.(?:bak|old|orig))*$/ }, 'SSH keys, as `ssh-keygen` names them'],
  ['{ssh_host_*_key,deploy_key*,*-key.json,keyfile.json,key.asc,*{secret,private}*.asc,secring.*}', 'keys by their usual names'],
  ['{key,keystore}.properties', 'the passwords of keys that sign apps'],
  ['{cwallet.sso,wallet.dat,UTC--*}', 'wallets'],
  ['krb5cc_*', 'Kerberos tickets'],
  [
    '{.env*,*.env,*.env.{local,sh},{,*.}env.{prod,stag,dev}*,env.local,_env,dotenv,.dotenv*,.flaskenv}',
    'environments with secrets',
  ],
  ['{.dev.vars,.dev.vars.*,local.settings.json}', 'environments of functions'],
  ['.envs/', 'environments of Django projects'],
  ['{LocalSettings,settings.local,config.inc,wp-config}.php', 'settings of websites, with their database passwords'],
  [storeOfSecrets, 'names that say it'],
  [oneSecret, 'names that say it'],
  [secretSettings, 'names that say it'],
  [kubeconfig, 'logins to clusters'],
  ['{kube_config*,talosconfig,k3s.yaml}', 'logins to clusters'],
  ['kubernetes/*.conf', 'logins to clusters'],
  ['{passwords,api_keys}.*', 'lists of secrets'],
  [
    '{.credentials,.credentials.json,.secrets,.token,tokens.db,token.pickle,auth.json,oauth_creds.json}',
    'logins that programs keep',
  ],
  ['{client_secret*,gha-creds-*,application_default_credentials,google_accounts}.json', 'logins to Google and GitHub'],
  ['{service-account,service_account,serviceaccount}*.json', 'service accounts'],
  ['{*-service-account,*_service_account,*firebase-adminsdk*}.json', 'service accounts'],
  ['{rootkey.csv,logins.csv,otpauth*.txt,*-secret.yaml,clouds.yaml,*openrc.sh}', 'exported logins'],
  ['{1password,bitwarden,keepass,lastpass}*.{csv,xml,json,txt}', 'exports of password stores'],
  ['{bitwarden_*export*.*,protonpass*,aegis*.json,lastpass*.*}', 'exports of password stores'],
  ['*.{opvault,agilekeychain}/', 'password stores'],
  ['*vault{_,-}pass*', 'passwords of Ansible vaults'],
  ['{logins.json,key3.db,key4.db,cookies.sqlite,cookies.txt}', 'logins that Firefox keeps'],
  ['{Login Data,Login Data For Account,Web Data,Local State}', 'logins that Chromium keeps'],
  ['.{bash,zsh,psql,mysql,sqlite,rediscli,python,node_repl}_history', 'histories, with passwords that were typed'],
  ['fish_history', 'a history'],
  ['{.netrc,_netrc,.authinfo*,.git-credentials,git-credentials,.gitcookies,.gitlab-token}', 'passwords of hosts'],
  ['.{npmrc,yarnrc,yarnrc.yml,bunfig.toml,pypirc,gemrc,mixrc,condarc,dockercfg,dockerconfigjson}', 'tokens of registries'],
  ['{pip.{conf,ini},pub-credentials.json,pub-tokens.json,upload_config.lua}', 'tokens of registries'],
  [
    '.{docker/config.json,cargo/credentials,gem/credentials,bundle/config,gradle/gradle.properties,cabal/config}',
    'tokens of registries',
  ],
  ['.m2/settings{,-security}.xml', 'tokens of registries'],
  ['{.docker/contexts,.sbt,.swiftpm/configuration,helm/registry}/', 'tokens of registries'],
  [
    '{git/credentials,npm/etc/npmrc,pnpm/rc,NuGet/NuGet.Config,pypoetry/auth.toml,helm/repositories.yaml}',
    'tokens of registries',
  ],
  ['.{pgpass,pgpass.conf,pg_service.conf,my.cnf,mylogin.cnf,odbc.ini,myclirc}', 'passwords of databases'],
  ['{pgpass.conf,.mongorc.js}', 'passwords of databases'],
  [
    '.{boto,s3cfg,passwd-s3fs,vault-token,vault,terraformrc,databrickscfg,rclone.conf,sentryclirc,claude.json}',
    'logins of command lines',
  ],
  ['{rclone.conf,terraform.rc,ngrok.yml,kaggle.json,sftp-config.json,sftp.json}', 'logins of command lines'],
  [
    '.{ssh,gnupg,putty,acme.sh,pki,aws,azure,gcloud,oci,kube,minikube,talos,terraform.d,pulumi,cloudflared}/',
    'logins, in a copy of a home',
  ],
  [
    '.{password-store,gopass,mozilla,thunderbird,bitcoin,electrum,ethereum,vagrant,mcp-auth,openai,anthropic,copilot,grok}/',
    'logins, in a copy of a home',
  ],
  ['{private-keys-v1.d,system-connections,keyrings,Keychains,kwalletd}/', 'keys and keyrings, in a copy of a home'],
  ['{sitemanager,recentservers,filezilla}.xml', 'passwords of servers'],
  ['{winscp.ini,wpa_supplicant*.conf}', 'passwords of servers and networks'],
  [/^wg\d+\.conf$/, 'keys of networks'],
  ['{/etc/passwd,shadow,gshadow,master.passwd}', 'accounts of the system'],
  ['.{htpasswd,htdigest}', 'passwords of a website'],
  ['{unattend,unattended,sysprep}.xml', 'passwords of installations'],
  ['ntuser.dat', 'a registry'],
  [
    '{/run/secrets,/var/run/secrets,System32/config,Microsoft/Credentials,Microsoft/Protect,Microsoft/Vault}/',
    'secrets of the system',
  ],
];

export const runningNames: readonly Row[] = [
  ['.{git,hg,svn,jj,githooks,git-hooks,husky}/', 'hooks, and settings that name programs'],
  ['*.git/{hooks/,config}', 'the same of a repository without files'],
  ['{.gitconfig,.gitconfig-*,.gitconfig.local,.hgrc,.jjconfig.toml,.huskyrc,.huskyrc.js}', 'settings that name programs'],
  ['{,.}lefthook{,-local}.yml', 'hooks'],
  ['git-core/templates/', 'hooks of every new repository'],
  ['.{bash,zsh,fish,profile,zshrc,bashrc}.d/', 'parts of shells'],
  ['.{bashrc,bashrc.local,bash_profile,bash_login,bash_logout,bash_aliases,bash_functions,bash_completion,profile}', 'shells'],
  ['.{zshrc,zshrc.local,zshenv,zprofile,zlogin,zlogout,zsh_aliases,zsh_functions,zimrc,zpreztorc,p10k.zsh}', 'shells'],
  ['.{kshrc,mkshrc,cshrc,tcshrc,shrc,shinit,yashrc,xonshrc,login,logout,aliases,functions,exports,inputrc}', 'shells'],
  ['{config.fish,profile.ps1,*_profile.ps1}', 'shells'],
  ['{WindowsPowerShell,PowerShell/Modules,Documents/PowerShell,*.WindowsTerminal_*}/', 'shells'],
  [
    '.{direnvrc,asdfrc,rvmrc,autoenv,mise.toml,pam_environment,xinitrc,xsession,xsessionrc,xprofile,xserverrc}',
    'what a login starts',
  ],
  ['{mise.toml,environment.d/,.mise/}', 'environments'],
  [
    '{LaunchAgents,LaunchDaemons,StartupItems,Application Scripts,crontabs,spool/cron,spool/at,cron/tabs}/',
    'what the system starts',
  ],
  [
    '{systemd/{user,system},dbus-1/services,Start Menu/Programs,XLSTART,Word/STARTUP,Microsoft/AddIns}/',
    'what the system or Office starts',
  ],
  ['{autostart/,Desktop/}*.desktop', 'what a session starts'],
  ['.kde*/Autostart/', 'what a session starts'],
  ['{Normal.dotm,VbaProject.OTM,loginwindow.plist,crontab,autorun.inf}', 'what the system or Office starts'],
  ['/etc/{profile.d,zsh,X11,cron.*,rc*.d,init.d,udev,pam.d,sudoers.d,periodic}/', 'the system'],
  [
    '/etc/{profile,environment,bashrc,bash.bashrc,zshrc,zshenv,sudoers,ld.so.preload,rc.local,gitconfig,crontab,anacrontab}',
    'the system',
  ],
  ['.{forward,procmailrc,mailcap}', 'programs that mail starts'],
  [
    '.{vscode,vscode-*,vs,idea,zed,fleet,nova,theia,idx,run,helix,nvim,vim,emacs.d,devcontainer,cursor-server,windsurf-server}/',
    'editors, with tasks and plugins',
  ],
  ['{Code,Code - Insiders,Cursor,Windsurf,VSCodium,Trae,Kiro,Antigravity}/User/', 'editors, with tasks and plugins'],
  ['.{windsurf,trae,antigravity,cursor}/extensions/', 'editors, with tasks and plugins'],
  [
    '{devcontainer.json,.devcontainer.json,*.code-workspace,*.sublime-project,.replit,.gitpod.yml}',
    'projects that start programs',
  ],
  [
    '.{vimrc,gvimrc,exrc,nvimrc,nvim.lua,lvimrc,local.vimrc,vimrc.local,ideavimrc,emacs,emacs.el,dir-locals.el,nanorc}',
    'editors',
  ],
  ['{_vimrc,_gvimrc,vimfiles/,.spacemacs*}', 'editors'],
  ['{.,}mcp.json', 'servers that agents start'],
  [
    '{mcp_config,mcp_settings,cline_mcp_settings,claude_desktop_config,managed-settings,managed-mcp}.json',
    'servers that agents start',
  ],
  ['{opencode.json,opencode.jsonc,kilo.json,kilo.jsonc,crush.json,.crush.json}', 'servers that agents start'],
  ['.{claude-plugin,agents,crush,factory,qwen,augment,warp,clinerules,openhands,iflow,vibe,openclaw}/', 'agents'],
  ['.{codex,goose,continue,opencode,copilot,amp}/', 'agents'],
  [
    '.claude/{settings.json,settings.local.json,managed-settings.json,launch.json,statusline.sh}',
    'agents, with hooks and servers',
  ],
  ['.claude/{hooks,plugins,commands,agents,skills,output-styles,scheduled-tasks}/', 'agents, with hooks and servers'],
  ['.cursor/{hooks.json,cli.json,environment.json,worktrees.json,hooks/,commands/}', 'agents, with hooks and servers'],
  ['.{gemini,factory,qwen}/settings.json', 'agents, with hooks and servers'],
  [
    '.{gemini/{extensions,commands,hooks},factory/hooks,kiro/{settings,hooks,agents},amazonq/cli-agents,github/{agents,hooks}}/',
    'agents, with hooks and servers',
  ],
  ['.windsurf/hooks.json', 'agents, with hooks and servers'],
  ['Block/goose/', 'an agent'],
  ['.{venv,yarn,mvn,tmux,zellij,ipython,jupyter,hammerspoon}/', 'what tools of a project run'],
  [
    '{node_modules/.bin,venv/bin,venv/Scripts,site-packages,dist-packages,.local/bin,.cargo/bin,.gradle/init.d}/',
    'what tools of a project run',
  ],
  [
    '{pyvenv.cfg,sitecustomize.py,usercustomize.py,pnpmfile.js,.pnpmfile.{cjs,mjs},.cargo/{config,config.toml}}',
    'what tools of a project run',
  ],
  ['.{pdbrc,pdbrc.py,pythonrc,pythonrc.py,pythonstartup,pystartup,Rprofile,Renviron,RData,irbrc,pryrc,iex.exs}', 'interpreters'],
  ['.{ghci,ocamlinit,erlang,octaverc,perldb,sbclrc,clisprc,guile}', 'interpreters'],
  ['.{gdbinit,lldbinit,lldbinit-Xcode,radare2rc,psqlrc,sqliterc,duckdbrc,mongoshrc.js}', 'debuggers and databases'],
  ['.{screenrc,tmux.conf,tmux.conf.local,wezterm.lua,alacritty.*,lessfilter,lesskey}', 'terminals'],
];

let compiledNames: { credentials: PathPatterns; running: PathPatterns } | undefined;

/** Compiled on first use. */
function namePatterns() {
  compiledNames ??= {
    credentials: compilePatterns(credentialNames.map(([pattern]) => pattern)),
    running: compilePatterns(runningNames.map(([pattern]) => pattern)),
  };
  return compiledNames;
}

/**
 * The name in `realPath` that looks like a credential, or undefined. Letter case does not matter, since it does not on
 * every disk. `allowed` lists names the user let pass: a file's own name suffices, and a directory's name
 * (`.ssh`) lets pass what is in it as far as nothing else in the path looks like a credential.
 */
export function sensitiveNameIn(realPath: string, allowed: readonly string[] = []): string | undefined {
  if (allowed.length === 0) return namePatterns().credentials.nameIn(realPath);
  const permitted = new Set(allowed.map((entry) => entry.toLowerCase()));
  const passes = (name: string) => permitted.has(name.toLowerCase());
  if (passes(realPath.split(/[\\/]/).findLast((segment) => segment !== '') ?? '')) return undefined;
  return namePatterns().credentials.nameIn(realPath, passes);
}

/** Whether the user let this very file pass, by its place in the folder: `./keys/.env`. */
export const isAllowedFile = (realPath: string, folder: string, allowed: readonly string[] = []): boolean =>
  allowed.some((entry) => entry.startsWith('./') && path.join(folder, entry) === realPath);

/** The entry by which `isAllowedFile` knows a file. */
export const allowedFileEntry = (realPath: string, folder: string): string =>
  `./${path.relative(folder, realPath).split(path.sep).join('/')}`;

/** The name in `realPath` for which writing there means that a program will run, or undefined. */
export const runningNameIn = (realPath: string): string | undefined => namePatterns().running.nameIn(realPath);

/** Returns the list entries that apply to something in `directory` only at the path `place`. */
export async function namesBoundTo(
  place: string,
  directory: string,
): Promise<{ sensitive: string | undefined; running: string | undefined }> {
  const { credentials, running } = namePatterns();
  return {
    sensitive: await credentials.straddling(place, directory),
    running: await running.straddling(place, directory),
  };
}

// Places where programs and the system keep their own files: closed, unless an allowed folder lies inside or the person names the place.
// Each line has a path that it closes, which a test tries.

/** Home folders on the three systems, and those that Windows' subsystem for Linux sees. */
const homes = ['/home/*/', '/var/home/*/', '/root/', '/Users/*/', '/*:/Users/*/', '/mnt/*/Users/*/'];

type Line = readonly [pattern: string, example: string];

/** Entries of a home folder that hold what programs know: logins, histories, mail, browsers. Neither read nor written. */
const privateAtHome: readonly Line[] = [
  ['.*/', '.unknown/start.sh'],
  ['AppData/', 'AppData/Roaming/Unknown/settings.json'],
  ['Library/', 'Library/Preferences/a.plist'],
  ['snap/', 'snap/unknown/common/a'],
];

/** Entries of a home folder from which programs run. Not written. */
const runAtHome: readonly Line[] = [
  ['bin/', 'bin/ls'],
  ['go/bin/', 'go/bin/gopls'],
  ['Applications/', 'Applications/A.app/Contents/MacOS/a'],
  ['scoop/', 'scoop/shims/a.exe'],
];

/** Below `Library` on macOS, cloud drives hold a person's own files. */
const cloudDrives = ['Library/Mobile Documents/', 'Library/CloudStorage/'];

const privatePlaces: readonly Line[] = [
  ['/etc/', '/etc/hosts'],
  // Not `/run/media`, where disks appear.
  ['/run/{user,secrets}/', '/run/user/1000/a'],
  ['/var/{run,lib,spool,cron}/', '/var/lib/dpkg/info/a.postinst'],
  ['/Library/', '/Library/Security/SecurityAgentPlugins/a'],
  ['/*:/Windows/', 'C:\\Windows\\System32\\drivers\\etc\\hosts'],
  ['/*:/ProgramData/', 'C:\\ProgramData\\a\\a.ini'],
];

const runningPlaces: readonly Line[] = [
  ['/{bin,sbin,usr,opt,nix,snap,boot}/', '/usr/local/bin/ls'],
  ['/lib*/', '/lib64/ld.so'],
  ['/{Applications,System}/', '/Applications/A.app/Contents/MacOS/a'],
  ['/*:/Program Files*/', 'C:\\Program Files\\Git\\etc\\profile.d\\a.sh'],
];

const inHomes = (lines: readonly Line[]): Line[] =>
  homes.flatMap((home) =>
    lines.map(([pattern, example]) => [home + pattern, home.replaceAll('*:', 'C:').replaceAll('*', 'ann') + example] as const),
  );

/** Closed for reading and writing, and for writing alone. */
export const closedPlaces = {
  reading: [...inHomes(privateAtHome), ...privatePlaces],
  writing: [...inHomes([...privateAtHome, ...runAtHome]), ...privatePlaces, ...runningPlaces],
} as const;

type Access = keyof typeof closedPlaces;

const drives = compilePatterns(cloudDrives);
const compiledPlaces = new Map<string, PathPatterns>();

function placesFor(home: string, access: Access): PathPatterns {
  const key = `${access} ${home}`;
  let found = compiledPlaces.get(key);
  if (found === undefined) {
    const own = home.replaceAll('\\', '/').replace(/\/?$/, '/').replace(/^\/?/, '/');
    const lines = access === 'reading' ? privateAtHome : [...privateAtHome, ...runAtHome];
    const inHome = own === '/' ? [] : lines.map(([pattern]) => own + pattern);
    found = compilePatterns([...closedPlaces[access].map(([pattern]) => pattern), ...inHome]);
    compiledPlaces.set(key, found);
  }
  return found;
}

/**
 * The name in `realPath` of a directory for programs' files that is closed for this access, unless `folder`, the allowed one, lies in such a
 * directory itself, or the name is among those that the person `allowed`.
 */
export function systemNameIn(
  realPath: string,
  folder: string,
  home: string,
  access: Access,
  allowed: readonly string[] = [],
): string | undefined {
  const places = placesFor(home, access);
  const permitted = new Set(allowed.map((entry) => entry.toLowerCase()));
  const name = places.nameIn(realPath, (segment) => permitted.has(segment.toLowerCase()));
  if (name === undefined || drives.nameIn(realPath) !== undefined || places.nameIn(folder) !== undefined) return undefined;
  return name;
}
