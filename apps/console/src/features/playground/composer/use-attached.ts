import { useState, type DragEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../../lib/toast.ts'
import { MAX_PICTURES, PictureRefused, readPicture } from '../chat/read-picture.ts'
import type { Picture } from '../conversation/types.ts'

/** Pictures that go with the next question: chosen, pasted or dropped. */
export function useAttached() {
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
        const reason = error instanceof PictureRefused ? error.reason : 'unreadable'
        toast.error(t(`picture.refused.${reason}`, { name: file.name }))
      }
    }
  }
  const over = (event: DragEvent) => {
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
      onDragOver: over,
      onDragLeave: () => setIsDropping(false),
      onDrop: (event: DragEvent) => {
        event.preventDefault()
        setIsDropping(false)
        void add([...event.dataTransfer.files])
      },
    },
  }
}
