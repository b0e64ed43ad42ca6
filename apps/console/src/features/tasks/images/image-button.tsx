import type { DrawingTask } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { Nothing } from '../cells.tsx'
import { RowButton } from '../../../ui/table/row-button.tsx'
import { nameOf, pictureOf, type ShownPart } from './drawing.ts'

interface Props {
  drawing: DrawingTask
  onOpen(part: ShownPart): void
}

/** Opens the picture, where there is one. */
export function ImageButton({ drawing, onOpen }: Props) {
  const { t } = useTranslation('drawings')
  if (pictureOf(drawing) === null) return <Nothing />
  return (
    <RowButton
      label={t('image.showOf', { name: nameOf(drawing) })}
      outlined
      main
      aria-haspopup="dialog"
      onClick={() => onOpen({ drawing, part: 'image' })}
    >
      {t('image.show')}
    </RowButton>
  )
}
