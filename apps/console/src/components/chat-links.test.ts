import { expect, it } from 'vitest'
import { chatLink, chatLinks } from './chat-links.ts'

const VALUES = { key: 'sk-abc', address: 'https://gate.example' }

it('replaces all placeholders with the API token and the URL of the site', () => {
  const chats: Record<string, string>[] = [
    { App: 'app://join?domain={address}&token={key}&again={key}' },
    { Plain: 'https://chat.example/' },
  ]

  expect(chatLinks(chats, VALUES)).toEqual([
    { name: 'App', address: 'app://join?domain=https%3A%2F%2Fgate.example&token=sk-abc&again=sk-abc' },
    { name: 'Plain', address: 'https://chat.example/' },
  ])
})

it('skips invalid links and links that run scripts', () => {
  const chats: Record<string, string>[] = [
    {},
    { None: '' },
    { Word: 'somewhere' },
    { Script: 'JavaScript:alert("{key}")' },
  ]

  expect(chatLinks(chats, VALUES)).toEqual([])
})

it.each([
  [undefined, null],
  [{}, null],
  [{ Script: ' javascript:alert(1)' }, null],
  [{ Data: 'data:text/html,{key}' }, null],
  [{ Page: 'https://chat.example/#{key}' }, { name: 'Page', address: 'https://chat.example/#sk-abc' }],
] as const)('converts %o to the link %o', (chat, link) => {
  expect(chatLink(chat, VALUES)).toEqual(link)
})
