import { useState, type DragEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../lib/toast.ts'
import type { Picture } from './conversation/conversation.ts'

/** Pictures of one message. */
const MAX_PICTURES = 4
/** Providers scale larger images down to about this many pixels a side. */
const MAX_SIDE = 1568
const MAX_FILE_SIZE = 20 * 1024 * 1024
/** Smaller files are sent unchanged. */
const SMALL_FILE_SIZE = 600 * 1024
const QUALITY = 0.85

export const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const

/** The selected, pasted or dropped pictures of the next message. */
export function useAttachedPictures() {
  const { t } = useTranslation('playground')
  const [pictures, setPictures] = useState<Picture[]>([])
  const [isDropping, setIsDropping] = useState(false)

  const add = async (files: readonly File[]) => {
    const room = MAX_PICTURES - pictures.length
    if (files.length > room) toast.info(t('picture.tooMany', { count: MAX_PICTURES }))
    for (const file of files.slice(0, Math.max(0, room))) {
      try {
        const picture = await readPicture(file)
        setPictures((before) => [...before, picture].slice(0, MAX_PICTURES))
      } catch (error) {
        const reason = error instanceof PictureError ? error.reason : 'unreadable'
        toast.error(t(`picture.rejected.${reason}`, { name: file.name }))
      }
    }
  }
  const onDragOver = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    setIsDropping(true)
  }
  return {
    pictures,
    add,
    remove: (at: number) => setPictures((before) => before.filter((_, index) => index !== at)),
    clear: () => setPictures([]),
    isDropping,
    dropTarget: {
      onDragOver,
      onDragLeave: () => setIsDropping(false),
      onDrop: (event: DragEvent) => {
        event.preventDefault()
        setIsDropping(false)
        void add([...event.dataTransfer.files])
      },
    },
  }
}

class PictureError extends Error {
  override readonly name = 'PictureError'
  readonly reason: 'type' | 'size' | 'unreadable'

  constructor(reason: PictureError['reason']) {
    super(`the picture cannot be attached: ${reason}`)
    this.reason = reason
  }
}

/** Reads a file as a data URL, scaled down if it is large. */
async function readPicture(file: File): Promise<Picture> {
  if (!(PICTURE_TYPES as readonly string[]).includes(file.type)) throw new PictureError('type')
  if (file.size > MAX_FILE_SIZE) throw new PictureError('size')
  const image = await createImageBitmap(file).catch(() => {
    throw new PictureError('unreadable')
  })
  try {
    const scale = Math.min(1, MAX_SIDE / Math.max(image.width, image.height))
    const isSmall = scale === 1 && file.size <= SMALL_FILE_SIZE
    return { url: isSmall ? await dataUrlOf(file) : scaleDown(image, scale), name: file.name }
  } finally {
    image.close()
  }
}

function scaleDown(image: ImageBitmap, scale: number): string {
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(image.width * scale)
  canvas.height = Math.round(image.height * scale)
  const context = canvas.getContext('2d')!
  context.fillStyle = '#fff' // JPEG turns transparent pixels black
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.drawImage(image, 0, 0, canvas.width, canvas.height)
  return canvas.toDataURL('image/jpeg', QUALITY)
}

function dataUrlOf(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(reader.result as string))
    reader.addEventListener('error', () => reject(new PictureError('unreadable')))
    reader.readAsDataURL(file)
  })
}
