import { z } from 'zod'
import { json, namedMap, namedMapSchema, type NamedMap } from '../define-json.ts'

const chats = { tab: 'operation', section: 'chats', guard: 'reauth' } as const

/** Any scheme, because apps register their own, except those that run what they are given. */
const linkTemplate = z
  .string()
  .max(2048)
  .regex(/^[a-z][a-z0-9+.-]*:/i)
  .refine((template) => !/^(javascript|data|vbscript|blob|file):/i.test(template), {
    message: 'this kind of link is not allowed',
    params: { zh: '不允许这种链接' },
  })

const namedLink = namedMapSchema(linkTemplate).refine((entry) => Object.keys(entry).length === 1, {
  message: 'each entry has exactly one name',
  params: { zh: '每一项只能有一个名称' },
})

/** Only links that keep the key on the user's own machine: apps, and a page that reads it from the fragment. */
const usual: NamedMap<string>[] = [
  namedMap({ NextChat: 'https://app.nextchat.dev/#/?settings={"key":"{key}","url":"{address}"}' }),
  namedMap({ 'AMA 问天': 'ama://set-api-key?server={address}&key={key}' }),
  namedMap({ OpenCat: 'opencat://team/join?domain={address}&token={key}' }),
]

export const chatOptions = {
  /** One-name objects, because the order is the order of the menu. `{key}` and `{address}` are filled by the console: links receive API tokens. */
  Chats: json<NamedMap<string>[]>(chats, z.array(namedLink).max(100), usual),
}
