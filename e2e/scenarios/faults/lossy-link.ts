import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { removeDirectory, throwAwayDirectory } from '@tidegate/testing'
import { until } from '../until.ts'
import { runProgram } from '../private-services.ts'

/** A real network link. Its second end is in a separate namespace, and the kernel drops packets on it. */
export interface LossyLink {
  readonly url: string
  /** The share of packets to drop, in each direction. */
  lose(share: number): Promise<void>
  lostPackets(): Promise<number>
  loseNothing(): Promise<void>
  remove(): Promise<void>
}

const FAR_END = fileURLToPath(new URL('./lossy-link-peer.ts', import.meta.url))
const PORT = 8080

/** Forwards to a port of this machine through the namespace. The way back is a socket file, which loses nothing. */
export async function openLossyLink(target: number): Promise<LossyLink> {
  const id = randomInt(2 ** 16)
  const namespace = `tidegate-${id}`
  const near = `tgn${id}`
  const network = `10.213.${id >> 8}`
  const host = ((id & 0xff) >> 2) * 4
  const [nearAddress, farAddress] = [`${network}.${host + 1}`, `${network}.${host + 2}`]
  const inside = (...args: string[]) => runProgram('ip', 'netns', 'exec', namespace, ...args)
  const directory = await throwAwayDirectory()
  const socket = join(directory, 'way')

  const returnPath = createServer({ allowHalfOpen: true }, (incoming) => {
    const outgoing = connect({ port: target, host: '127.0.0.1', allowHalfOpen: true })
    incoming.pipe(outgoing).pipe(incoming)
    incoming.on('error', () => outgoing.destroy())
    outgoing.on('error', () => incoming.destroy())
  }).listen(socket)
  await once(returnPath, 'listening')
  await runProgram('ip', 'netns', 'add', namespace)
  const far = spawnFarEnd(namespace, farAddress, socket)
  const remove = async () => {
    far.kill('SIGKILL')
    await runProgram('ip', 'netns', 'del', namespace) // removes both ends of the link
    returnPath.close()
    await removeDirectory(directory)
  }
  try {
    await runProgram('ip', 'link', 'add', near, 'type', 'veth', 'peer', 'name', 'far', 'netns', namespace)
    await runProgram('ip', 'address', 'add', `${nearAddress}/30`, 'dev', near)
    await runProgram('ip', 'link', 'set', near, 'up')
    await inside('ip', 'address', 'add', `${farAddress}/30`, 'dev', 'far')
    await inside('ip', 'link', 'set', 'far', 'up')
    if (!(await until(() => listens(farAddress), 10_000))) throw new Error('the far end does not listen')
  } catch (error) {
    await remove()
    throw error
  }

  return {
    url: `http://${farAddress}:${PORT}`,
    async lose(share) {
      for (const chain of ['INPUT', 'OUTPUT']) {
        await inside(
          'iptables',
          '-A',
          chain,
          '-m',
          'statistic',
          '--mode',
          'random',
          '--probability',
          String(share),
          '-j',
          'DROP',
        )
      }
    },
    async lostPackets() {
      const list = await inside('iptables', '-L', '-v', '-n', '-x')
      return [...list.matchAll(/^\s*(\d+)\s+\d+\s+DROP/gm)].reduce((total, [, count]) => total + Number(count), 0)
    },
    async loseNothing() {
      await inside('iptables', '-F')
    },
    remove,
  }
}

function spawnFarEnd(namespace: string, address: string, socket: string) {
  const args = ['netns', 'exec', namespace, process.execPath, FAR_END, address, String(PORT), socket]
  return spawn('ip', args, { stdio: 'inherit' })
}

function listens(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(PORT, address)
    const end = (response: boolean) => {
      socket.destroy()
      resolve(response)
    }
    socket.once('connect', () => end(true)).once('error', () => end(false))
    socket.setTimeout(200, () => end(false))
  })
}
