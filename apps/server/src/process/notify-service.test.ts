import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { createLogger } from '../observability/logging.ts'
import { createNotifyService } from './notify-service.ts'

it('sends states to the service manager in order, and only if it listens', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'tidegate-notify-'))
  const [program, sent] = [join(directory, 'notify'), join(directory, 'sent')]
  await writeFile(program, `#!/bin/sh\necho "$@" >> ${sent}\n`, { mode: 0o755 })
  const log = createLogger('silent')
  const notify = createNotifyService({ NOTIFY_SOCKET: '/run/systemd/notify' }, log, program)

  await createNotifyService({}, log, program)('READY=1')
  void notify('READY=1')
  void notify('RELOADING=1')
  await notify('STOPPING=1')

  expect(await readFile(sent, 'utf8')).toBe('READY=1\nRELOADING=1\nSTOPPING=1\n')
  await rm(directory, { recursive: true })
})

it('logs that the service manager was not reached', async () => {
  const log = createLogger('silent')
  const error = vi.spyOn(log, 'error')

  await createNotifyService({ NOTIFY_SOCKET: '/run/systemd/notify' }, log, '/no/such/program')('READY=1')

  expect(error).toHaveBeenCalledWith(expect.objectContaining({ event: 'server.notify_failed' }), expect.any(String))
})
