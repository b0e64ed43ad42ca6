import { expect, it } from 'vitest'
import { chatLink, chatLinks } from './chat-links.ts'

const FILLING = { key: 'sk-abc', address: 'https://gate.example' }

it('fills the key and the address of the site into every place that asks for them', () => {
  const chats: Record<string, string>[] = [
    { App: 'app://join?domain={address}&token={key}&again={key}' },
    { Plain: 'https://chat.example/' },
  ]

  expect(chatLinks(chats, FILLING)).toEqual([
    { name: 'App', address: 'app://join?domain=https%3A%2F%2Fgate.example&token=sk-abc&again=sk-abc' },
    { name: 'Plain', address: 'https://chat.example/' },
  ])
})

it('passes over what is no link and what would run as a program', () => {
  const chats: Record<string, string>[] = [
    {},
    { None: '' },
    { Word: 'somewhere' },
    { Script: 'JavaScript:alert("{key}")' },
  ]

  expect(chatLinks(chats, FILLING)).toEqual([])
})

it.each([
  [undefined, null],
  [{}, null],
  [{ Script: ' javascript:alert(1)' }, null],
  [{ Data: 'data:text/html,{key}' }, null],
  [{ Page: 'https://chat.example/#{key}' }, { name: 'Page', address: 'https://chat.example/#sk-abc' }],
] as const)('makes of %o the link %o', (chat, link) => {
  expect(chatLink(chat, FILLING)).toEqual(link)
})
