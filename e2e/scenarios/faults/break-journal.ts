import { rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { removeDirectory, throwAwayDirectory, type RunningServer } from '@tidegate/testing'
import type { Fault } from './fault.ts'
import { runProgram } from '../private-services.ts'

const MEGABYTE = 1024 ** 2

/** The disk of the journal is full. Settlements go straight to the database until there is room. */
export const journalFull: Fault = {
  name: 'journal disk full',
  async prepare() {
    let disk = ''
    return {
      environment: {
        async mountDisk(directory) {
          await runProgram('mount', '-t', 'tmpfs', '-o', 'size=4m,mode=755', 'tmpfs', directory)
          disk = directory
        },
        unmountDisk: () => unmount(disk),
      },
      async inject() {
        // Writes until the disk is full.
        await writeFile(join(disk, 'other'), Buffer.alloc(8 * MEGABYTE)).catch(() => {})
      },
      repair: () => rm(join(disk, 'other')),
      hasTakenEffect: async ({ fleet }) => fleet.gateways.every(couldNotWrite),
    }
  },
}

/** The kernel remounts the disk read-only. It is writable again when new processes mount it. */
export const journalReadOnly: Fault = {
  name: 'journal disk read-only',
  async prepare() {
    const images = await throwAwayDirectory()
    const image = join(images, 'disk')
    let disk = ''
    let isBitten = false
    return {
      environment: {
        async mountDisk(directory) {
          await writeFile(image, '')
          await truncate(image, 16 * MEGABYTE)
          await runProgram('mkfs.ext4', '-q', image)
          await runProgram('mount', '-o', 'loop', image, directory)
          disk = directory
          await rm(join(disk, 'lost+found'), { recursive: true })
        },
        unmountDisk: () => unmount(disk),
      },
      inject: async () => void (await runProgram('mount', '-o', 'remount,abort', disk)),
      async repair({ fleet }) {
        isBitten = fleet.gateways.every(couldNotWrite)
        const codes = [await fleet.stopOne('gateway', 0), await fleet.stopOne('gateway', 1)]
        if (codes.some((code) => code !== 0)) throw new Error(`gateways ended with ${codes.join(' and ')}`)
        await unmount(disk)
        await runProgram('mount', '-o', 'loop', image, disk)
        await Promise.all([fleet.startAgain('gateway', 0), fleet.startAgain('gateway', 1)])
      },
      hasTakenEffect: async () => isBitten,
      remove: () => removeDirectory(images),
    }
  },
}

function couldNotWrite({ logs }: RunningServer): boolean {
  return logs.some(({ event }) => event === 'journal.write_failed')
}

/** Lazy: also while a process still has a file open. */
async function unmount(directory: string): Promise<void> {
  if (directory !== '') await runProgram('umount', '--lazy', directory)
}
