import { openaiSpeaker } from '../openai-words/speaker.ts'

export const minimax = openaiSpeaker({
  id: 'minimax',
  baseUrl: 'https://api.minimax.chat',
  path: '/v1/text/chatcompletion_v2',
  version: '/v1',
  models: ['abab6.5-chat', 'abab6.5s-chat', 'abab6-chat', 'abab5.5-chat', 'abab5.5s-chat'],
  operations: [],
})
