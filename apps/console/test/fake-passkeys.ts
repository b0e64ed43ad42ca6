import { vi } from 'vitest'

const bytes = (text: string) => new TextEncoder().encode(text).buffer

/** Simulates a browser with passkeys and a user who always confirms. */
export function fakePasskeys() {
  let isCancelled = false
  const get = async () => {
    if (isCancelled) throw new DOMException('The person closed the dialog.', 'NotAllowedError')
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
      isCancelled = true
    },
  }
}
