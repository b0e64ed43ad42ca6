import type { api } from '@tidegate/contract'
import type { IdentityKey, UserRow } from '@tidegate/storage'

/** Who a service says somebody is. */
export interface Profile {
  readonly service: api.SignInServiceName
  readonly key: IdentityKey
  /** A binding of the same person by something that others can take over, such as a name. */
  readonly former?: FormerBinding
  /** What the person goes by there, to recognise the binding by. */
  readonly label: string
  readonly displayName: string
  /** What the person would like to be called here. */
  readonly username?: string
  /** An address the service has verified; asked for only when an account is made. */
  readEmail?(): Promise<string | undefined>
}

export interface FormerBinding {
  readonly key: IdentityKey
  /** Whether the profile belongs to the person who was bound, and not to somebody who took the name over. */
  isSamePerson(user: Pick<UserRow, 'email'>, boundAt: Date): Promise<boolean>
}

const LONGEST_LABEL = 64
const LONGEST_DISPLAY_NAME = 20

/** A profile from what a service said, whose texts may be of any length and hold anything. */
export function profileOf(
  { service, issuer = '', subject }: { service: api.SignInServiceName; issuer?: string; subject: string },
  { label = '', displayName, ...rest }: Omit<Profile, 'service' | 'key' | 'label'> & { label?: string | undefined },
): Profile {
  return {
    service,
    key: { provider: service, issuer, subject },
    label: visibleText(label, LONGEST_LABEL),
    displayName: visibleText(displayName, LONGEST_DISPLAY_NAME),
    ...rest,
  }
}

/** Without signs that cannot be seen, and cut by characters. */
export function visibleText(text: string, longest: number): string {
  const visible = text.normalize('NFC').replace(/\p{C}/gu, '').trim()
  return [...visible].slice(0, longest).join('').trim()
}
