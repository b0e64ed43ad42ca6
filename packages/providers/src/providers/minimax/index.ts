import { openaiSpeaker } from '../../openai-compatible/create-provider.ts'
import { defineProvider } from '../../provider.ts'
import { readRefusals } from './read-errors.ts'

const speaker = openaiSpeaker({
  id: 'minimax',
  baseUrl: 'https://api.minimax.chat',
  path: '/v1/text/chatcompletion_v2',
  version: '/v1',
  models: ['abab6.5-chat', 'abab6.5s-chat', 'abab6-chat', 'abab5.5-chat', 'abab5.5s-chat'],
  operations: [],
})

/** Chats only: at this address there is no other call to be beside it. */
export const minimax = defineProvider({
  ...speaker,
  conversations: speaker.conversations
    ?.filter(({ dialect }) => dialect === 'openai-chat')
    .map((conversation) => ({ ...conversation, unpack: readRefusals })),
  prefers: undefined,
})
