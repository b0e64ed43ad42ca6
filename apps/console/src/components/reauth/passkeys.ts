import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import type { BodyInput, ReplyOf, addPasskey, askForNewPasskey } from '@tidegate/contract/api'
import { errorText } from '../../api/errors.ts'
import { i18n } from '../../lib/i18n.ts'

type Challenge = ReplyOf<typeof askForNewPasskey>
type Response = Omit<BodyInput<typeof addPasskey>, 'name'>

export const canUsePasskeys = (): boolean => typeof globalThis.PublicKeyCredential === 'function'

/** Loaded on first use, so that it does not delay the sign-in page. */
const loadAuthenticator = () => import('@simplewebauthn/browser')

/** Creates a passkey on an authenticator of the user. */
export async function createPasskey({ ticket, options }: Challenge): Promise<Response> {
  const { startRegistration } = await loadAuthenticator()
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON
  return { ticket, response: { ...(await startRegistration({ optionsJSON })) } }
}

/** Signs a challenge with an existing passkey of the user. */
export async function answerWithPasskey({ ticket, options }: Challenge): Promise<Response> {
  const { startAuthentication } = await loadAuthenticator()
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON
  return { ticket, response: { ...(await startAuthentication({ optionsJSON })) } }
}

/** Replaces browser errors, which are written for developers. Needs the texts `proof`. */
export function passkeyErrorText(error: unknown): string {
  switch (error instanceof Error ? error.name : '') {
    case 'NotAllowedError':
    case 'AbortError':
      return i18n.t('proof:passkey.closed')
    case 'InvalidStateError':
      return i18n.t('proof:passkey.known')
    case 'SecurityError':
      return i18n.t('proof:passkey.otherAddress')
    case 'ConstraintError':
    case 'NotSupportedError':
      return i18n.t('proof:passkey.unfit')
    default:
      return errorText(error)
  }
}

const IP_ADDRESS = /^(\d+\.){3}\d+$|^\[/

/**
 * Why passkeys cannot be used: the address of the site is not set (`unset`) or has no domain (`ip`), the console is open
 * at another address (`elsewhere`), or the browser does not support them (`browser`).
 */
export function passkeyObstacle(
  serverAddress: string,
  here: Pick<Location, 'origin'> = window.location,
): 'unset' | 'ip' | 'elsewhere' | 'browser' | null {
  const site = URL.canParse(serverAddress) ? new URL(serverAddress) : null
  if (site === null) return 'unset'
  if (IP_ADDRESS.test(site.hostname)) return 'ip'
  if (site.origin !== here.origin) return 'elsewhere'
  return canUsePasskeys() ? null : 'browser'
}
