import type { Picture } from '../conversation/types.ts'

/** What one question may hold. */
export const MAX_PICTURES = 4
/** Vendors look at no more than about this many pixels a side; what is larger only costs more to send. */
const MAX_SIDE = 1568
const LARGEST_FILE = 20 * 1024 * 1024
/** Files below this are sent as they are. */
const SMALL_FILE = 600 * 1024
const QUALITY = 0.85

export const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const

export class PictureRefused extends Error {
  override readonly name = 'PictureRefused'
  readonly reason: 'type' | 'size' | 'unreadable'

  constructor(reason: PictureRefused['reason']) {
    super(`the picture was refused: ${reason}`)
    this.reason = reason
  }
}

/** A file as a data URL, made smaller where it is larger than models care to see. */
export async function readPicture(file: File): Promise<Picture> {
  if (!(PICTURE_TYPES as readonly string[]).includes(file.type)) throw new PictureRefused('type')
  if (file.size > LARGEST_FILE) throw new PictureRefused('size')
  const image = await createImageBitmap(file).catch(() => {
    throw new PictureRefused('unreadable')
  })
  try {
    const scale = Math.min(1, MAX_SIDE / Math.max(image.width, image.height))
    const isFine = scale === 1 && file.size <= SMALL_FILE
    return { url: isFine ? await dataUrlOf(file) : redraw(image, scale), name: file.name }
  } finally {
    image.close()
  }
}

function redraw(image: ImageBitmap, scale: number): string {
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(image.width * scale)
  canvas.height = Math.round(image.height * scale)
  const context = canvas.getContext('2d')!
  context.fillStyle = '#fff' // what was see-through would turn black
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.drawImage(image, 0, 0, canvas.width, canvas.height)
  return canvas.toDataURL('image/jpeg', QUALITY)
}

function dataUrlOf(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(reader.result as string))
    reader.addEventListener('error', () => reject(new PictureRefused('unreadable')))
    reader.readAsDataURL(file)
  })
}
