import { vi } from 'vitest'

const bytes = (text: string) => new TextEncoder().encode(text).buffer

/** Gives the browser passkeys, and a person who shows one whenever they are asked. */
export function fakePasskeys() {
  let refuses = false
  const get = async () => {
    if (refuses) throw new DOMException('The person closed the dialog.', 'NotAllowedError')
    return {
      id: 'a-passkey',
      rawId: bytes('a-passkey'),
      type: 'public-key',
      authenticatorAttachment: 'platform',
      response: {
        authenticatorData: bytes('data'),
        clientDataJSON: bytes('{}'),
        signature: bytes('signed'),
        userHandle: bytes('somebody'),
      },
      getClientExtensionResults: () => ({}),
    }
  }
  vi.stubGlobal('PublicKeyCredential', () => {})
  vi.stubGlobal('navigator', Object.create(window.navigator, { credentials: { value: { get } } }))
  return {
    refuse() {
      refuses = true
    },
  }
}
