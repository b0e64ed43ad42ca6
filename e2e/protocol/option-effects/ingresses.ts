import { type Protocol, type ProtocolName, PROTOCOLS } from '../routing/protocols.ts'

export type IngressName = ProtocolName | 'completions' | 'playground'

/** Every way a conversation comes in. */
export const INGRESSES: Readonly<Record<IngressName, Protocol>> = {
  ...PROTOCOLS,
  completions: {
    ...PROTOCOLS.chat,
    path: () => '/v1/completions',
    body: ({ text: prompt, ...asked }) => ({ ...asked, prompt }),
  },
  playground: { ...PROTOCOLS.chat, path: () => '/pg/chat/completions' },
}

export const INGRESS_NAMES = Object.keys(INGRESSES) as IngressName[]
