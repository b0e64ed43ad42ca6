import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * The files of an image: those of this machine, which stands for every base image, with the Node that runs this script for its
 * own, and over them what a stage has changed.
 */
export interface Tree {
  /** What the stage has changed, and nothing else. */
  readonly changes: string
  readonly work: string
  readonly mounted: string
}

export interface Running {
  env: Readonly<Record<string, string>>
  directory: string
  /** `user:group`; root when left out. */
  user?: string
  /** Nothing can be written but below the folder on the left, which is seen as the one on the right. */
  only?: readonly [string, string]
}

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

export async function openTree(folder: string): Promise<Tree> {
  const tree = { changes: join(folder, 'changes'), work: join(folder, 'work'), mounted: join(folder, 'mounted') }
  for (const path of Object.values(tree)) await mkdir(path, { recursive: true })
  return tree
}

/** Starts a command that sees the tree as its root. What it mounts goes away with it. */
export function startInTree(tree: Tree, command: readonly string[], running: Running): ChildProcess {
  const words = ['--mount', 'sh', '-euc', ENTER, 'sh', running.directory, running.user ?? '', ...command]
  return spawn('unshare', words, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...running.env,
      PATH,
      TREE: tree.mounted,
      NODE: process.execPath,
      LAYERS: `lowerdir=/,upperdir=${tree.changes},workdir=${tree.work}`,
      VOLUME_FROM: running.only?.[0] ?? '',
      VOLUME_TO: running.only?.[1] ?? '',
    },
  })
}

export async function runInTree(tree: Tree, command: readonly string[], running: Running): Promise<void> {
  const [code] = (await once(startInTree(tree, command, running), 'exit')) as [number | null]
  if (code !== 0) throw new Error(`ended with ${code}: ${command.join(' ')}`)
}

/** Whether this machine lets us: it takes Linux, root, and the leave to mount. */
export async function canRunTrees(): Promise<boolean> {
  if (process.getuid?.() !== 0) return false
  const folder = await mkdtemp(join(tmpdir(), 'tidegate-tree-'))
  try {
    await runInTree(await openTree(folder), ['true'], { env: {}, directory: '/' })
    return true
  } catch {
    return false
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** A second command beside one that runs, in what that one sees. Gives its exit code. */
export async function runBeside(
  pid: number,
  tree: Tree,
  command: readonly string[],
  running: Running,
): Promise<number> {
  const words = [`--mount=/proc/${pid}/ns/mnt`, 'chroot', tree.mounted, ...asUser(running.user), ...command]
  const child = spawn('nsenter', words, { stdio: 'ignore', env: { ...running.env, PATH } })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 1
}

function asUser(user: string | undefined): string[] {
  if (user === undefined) return []
  const [uid, gid] = user.split(':')
  return ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--no-new-privs']
}

const ENTER = `
directory=$1 user=$2
shift 2
mount --make-rprivate /
mount -t overlay overlay -o "$LAYERS" "$TREE"
mount -t proc proc "$TREE/proc"
mount --rbind /dev "$TREE/dev"
touch "$TREE/etc/resolv.conf"
mount --bind /etc/resolv.conf "$TREE/etc/resolv.conf"
touch "$TREE/usr/local/bin/node"
mount --bind "$NODE" "$TREE/usr/local/bin/node"
if [ -n "$VOLUME_FROM" ]; then
  mount --bind "$VOLUME_FROM" "$TREE$VOLUME_TO"
  mount -o remount,ro "$TREE"
fi
unset LAYERS NODE VOLUME_FROM VOLUME_TO
if [ -n "$user" ]; then
  set -- setpriv "--reuid=\${user%:*}" "--regid=\${user#*:}" --clear-groups --no-new-privs --bounding-set=-all "$@"
fi
exec chroot "$TREE" sh -c 'cd "$0" && exec "$@"' "$directory" "$@"
`
