import type { DrawingTask } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { TextDialog } from '../../../ui/overlay/text-dialog.tsx'
import { useLast } from '../../../lib/use-last.ts'
import { nameOf, pictureOf, textOf, type ShownPart } from './drawing.ts'
import { ImageDialog } from './image-dialog.tsx'

interface Props {
  shown: ShownPart | null
  /** What is on the page now: a drawing that is looked at may move on meanwhile, or leave the page. */
  rows: readonly DrawingTask[] | undefined
  onClose(): void
}

/** What opens from a row. */
export function DrawingDialogs({ shown, rows, onClose }: Props) {
  const { t } = useTranslation('drawings')
  const last = useLast(shown)
  const drawing = rows?.find(({ id }) => id === last?.drawing.id) ?? last?.drawing
  return (
    <>
      <ImageDialog
        address={drawing && last?.part === 'image' ? pictureOf(drawing) : null}
        open={shown?.part === 'image'}
        title={t('image.title', { name: drawing ? nameOf(drawing) : '' })}
        words={drawing?.prompt || t('image.words')}
        onClose={onClose}
      />
      <TextDialog
        shown={
          shown && shown.part !== 'image' && drawing
            ? { title: t(`columns.${shown.part}`), text: textOf(drawing, shown.part) }
            : null
        }
        onClose={onClose}
      />
    </>
  )
}
