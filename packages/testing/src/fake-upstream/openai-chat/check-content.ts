import { demand } from '../checks.ts'

interface ContentPart {
  type?: string
  text?: unknown
  refusal?: unknown
  image_url?: { url?: unknown }
  input_audio?: { data?: unknown; format?: unknown }
  file?: { file_data?: unknown; file_id?: unknown }
}

/** Content is a text, or parts of the kinds its role may have. */
export function checkContent(content: unknown, role: string, path: string, strict: boolean): void {
  if (typeof content === 'string') return
  demand(Array.isArray(content) && content.length > 0, 'content is a text or a list of parts', path)
  content.forEach((part: ContentPart, index) => checkPart(part, role, `${path}[${index}]`, strict))
}

function checkPart(part: ContentPart, role: string, path: string, strict: boolean): void {
  const { type = '' } = part
  demand((PARTS[role] ?? ['text']).includes(type), `'${type}' is no part of a message from ${role}`, `${path}.type`)
  if (strict) {
    for (const member of Object.keys(part)) {
      demand(
        member === 'type' || member === type || member === 'prompt_cache_breakpoint',
        `Unknown parameter: '${path}.${member}'.`,
      )
    }
  }
  if (type === 'text') demand(typeof part.text === 'string', 'text is missing', path)
  if (type === 'image_url') {
    demand(
      IMAGE_URL.test(String(part.image_url?.url)),
      'not the address of an image, nor a data URL',
      `${path}.image_url`,
    )
  }
  if (type === 'input_audio') demand(part.input_audio?.data && part.input_audio.format, 'no audio data', path)
  if (type === 'file') {
    const { file_data: data, file_id: id } = part.file ?? {}
    demand(id !== undefined || String(data).startsWith('data:'), 'a file is an id or a data URL', `${path}.file`)
  }
}

const IMAGE_URL = /^(https?:\/\/|data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+=*$)/
const PARTS: Record<string, readonly string[]> = {
  user: ['text', 'image_url', 'input_audio', 'file'],
  assistant: ['text', 'refusal'],
}
