import { openaiRoot, type Connection } from './connection.ts'

/** Chat apps that many people use; their names for the fields are among the texts. */
export const CHAT_CLIENTS = ['cherryStudio', 'chatbox', 'lobeChat', 'nextChat', 'openWebUi'] as const
export type Client = (typeof CHAT_CLIENTS)[number] | 'cursor'

/** What the three fields of an app want to hold. Some add `/v1` to the address themselves, others want it written. */
export function clientFields(client: Client, connection: Connection): Record<'address' | 'key' | 'model', string> {
  const { address, key, model } = connection
  switch (client) {
    case 'cherryStudio':
    case 'chatbox':
      return { address, key, model }
    case 'nextChat':
      // It asks each model of the vendor whose name it knows, unless told whose words to speak.
      return { address, key, model: `+${model}@OpenAI` }
    case 'lobeChat':
    case 'openWebUi':
    case 'cursor':
      return { address: openaiRoot(connection), key, model }
  }
}
