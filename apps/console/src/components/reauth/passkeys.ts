import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import type { BodyInput, ReplyOf, addPasskey, askForNewPasskey } from '@tidegate/contract/api'
import { errorText } from '../../api/errors.ts'
import { i18n } from '../../lib/i18n.ts'

type Question = ReplyOf<typeof askForNewPasskey>
type Answer = Omit<BodyInput<typeof addPasskey>, 'name'>

export const canUsePasskeys = (): boolean => typeof globalThis.PublicKeyCredential === 'function'

/** Fetched when somebody uses a passkey: the login screen of everybody else need not wait for it. */
const loadAuthenticator = () => import('@simplewebauthn/browser')

/** Has an authenticator of the person create a passkey. */
export async function createPasskey({ ticket, options }: Question): Promise<Answer> {
  const { startRegistration } = await loadAuthenticator()
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON
  return { ticket, response: { ...(await startRegistration({ optionsJSON })) } }
}

/** Has the person answer with a passkey they have. */
export async function answerWithPasskey({ ticket, options }: Question): Promise<Answer> {
  const { startAuthentication } = await loadAuthenticator()
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON
  return { ticket, response: { ...(await startAuthentication({ optionsJSON })) } }
}

/** What to tell about a failure; the browser's own errors are written for programmers. Needs the texts `proof`. */
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
