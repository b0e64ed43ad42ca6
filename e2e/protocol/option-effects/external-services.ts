import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  fakeEpay,
  fakeStripe,
  startFakeGitHub,
  startFakeLinuxDo,
  startFakeTurnstile,
  startFakeWeChatHelper,
  startWebhookReceiver,
  startMailbox,
  startOidcProvider,
} from '@tidegate/testing'
import { startFakeWorker } from '../../browser/support/fake-worker.ts'

export const CLIENT = { id: 'gate', secret: 'gate-secret-0123456789' }
export const MAIL_ACCOUNT = { user: 'gate@mail.example', pass: 'mail-password' }
export const WECHAT_TOKEN = 'wechat-helper-token'
export const BOT_TOKEN = '4242:telegram-bot-token'
export const TURNSTILE_SECRET = 'turnstile-secret'
/** Another address of this machine, where the second mail server has the port of the first. */
export const OTHER_LOOPBACK = '127.0.0.2'

export type ExternalServices = Awaited<ReturnType<typeof startExternalServices>>

/** The external services that options refer to. */
export async function startExternalServices() {
  const mailbox = await startMailbox({ account: MAIL_ACCOUNT })
  const otherMailbox = await startMailbox({ account: MAIL_ACCOUNT })
  const services = {
    mailbox,
    otherMailbox,
    detour: await startDetour(mailbox.port, otherMailbox.port),
    greeter: await startGreeter(),
    hooks: await startWebhookReceiver(),
    worker: await startFakeWorker(),
    epay: await fakeEpay(),
    stripe: await fakeStripe(),
    github: await startFakeGitHub(CLIENT),
    linuxDo: await startFakeLinuxDo(CLIENT),
    weChat: await startFakeWeChatHelper(WECHAT_TOKEN),
    otherWeChat: await startFakeWeChatHelper(WECHAT_TOKEN),
    turnstile: await startFakeTurnstile(TURNSTILE_SECRET),
    oidc: await startOidcProvider({
      clientId: CLIENT.id,
      clientSecret: CLIENT.secret,
      clientAuth: 'client_secret_post',
    }),
  }
  const directory = await mkdtemp(join(tmpdir(), 'tidegate-certificate-'))
  const trusted = join(directory, 'hooks.pem')
  await writeFile(trusted, services.hooks.certificate)

  return {
    ...services,
    env: {
      NODE_EXTRA_CA_CERTS: trusted,
      TIDEGATE_ALLOW_PRIVATE_FETCHES: 'true',
      TIDEGATE_GITHUB_URL: services.github.url,
      TIDEGATE_GITHUB_API_URL: services.github.apiUrl,
      TIDEGATE_LINUXDO_URL: services.linuxDo.url,
      TIDEGATE_STRIPE_URL: services.stripe.url,
      TIDEGATE_TURNSTILE_VERIFY_URL: services.turnstile.url,
    },
    async close() {
      await Promise.all(Object.values(services).map((service) => service.close()))
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** Forwards from the other address of this machine to another port. */
async function startDetour(port: number, target: number) {
  const server = createServer((socket) => {
    const onward = connect(target, '127.0.0.1')
    socket.on('error', () => onward.destroy())
    onward.on('error', () => socket.destroy())
    socket.pipe(onward).pipe(socket)
  })
  server.listen(port, OTHER_LOOPBACK)
  await once(server, 'listening')
  return { close: () => new Promise<void>((resolve) => void server.close(() => resolve())) }
}

/** Greets like a mail server and records the first command of the last client. */
async function startGreeter() {
  let received = ''
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (data) => {
      received = data[0] === TLS_HANDSHAKE ? 'TLS' : data.toString('latin1', 0, 4)
      socket.destroy()
    })
    socket.write('220 harbour\r\n') // a client with implicit TLS does not wait for it
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    forget: () => void (received = ''),
    heard: () => received,
    close: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  }
}

const TLS_HANDSHAKE = 0x16
