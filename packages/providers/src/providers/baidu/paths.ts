/** Where Baidu keeps its models, of which few have the name they are sold under. */
const CHATS: Readonly<Record<string, string>> = {
  'ernie-4.0-8k': 'completions_pro',
  'ernie-bot-4': 'completions_pro',
  'ernie-3.5-8k': 'completions',
  'ernie-bot': 'completions',
  'ernie-bot-8k': 'ernie_bot_8k',
  'ernie-speed': 'ernie_speed',
  'ernie-speed-8k': 'ernie_speed',
  'ernie-lite-8k-0922': 'eb-instant',
  'ernie-bot-turbo': 'eb-instant',
  'ernie-lite-8k-0308': 'ernie-lite-8k',
  'ernie-character-8k': 'ernie-char-8k',
  'ernie-functions-8k': 'ernie-func-8k',
  'bloomz-7b': 'bloomz_7b1',
}

const EMBEDDINGS: Readonly<Record<string, string>> = {
  'bge-large-zh': 'bge_large_zh',
  'bge-large-en': 'bge_large_en',
  'tao-8k': 'tao_8k',
}

/** A name we do not know is the name of its path, as those of all newer models are. */
export function chatPath(model: string): string {
  return `/rpc/2.0/ai_custom/v1/wenxinworkshop/chat/${placeOf(CHATS, model)}`
}

export function embeddingsPath(model: string): string {
  return `/rpc/2.0/ai_custom/v1/wenxinworkshop/embeddings/${placeOf(EMBEDDINGS, model)}`
}

function placeOf(known: Readonly<Record<string, string>>, model: string): string {
  const name = model.toLowerCase()
  return (Object.hasOwn(known, name) && known[name]) || encodeURIComponent(name)
}
