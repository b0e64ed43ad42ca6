import { DRAWING_CODE } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { ActionTag } from '../action-tag.tsx'
import { StatusTag, type Tone } from '../../../ui/feedback/status-tag.tsx'

const DRAWING_ACTIONS = [
  'IMAGINE',
  'UPSCALE',
  'VARIATION',
  'HIGH_VARIATION',
  'LOW_VARIATION',
  'PAN',
  'DESCRIBE',
  'BLEND',
  'UPLOAD',
  'SHORTEN',
  'REROLL',
  'INPAINT',
  'ZOOM',
  'CUSTOM_ZOOM',
  'MODAL',
  'SWAP_FACE',
] as const

/** What was ordered, each in a colour of its own. */
export function DrawingAction({ action }: { action: string }) {
  const { t } = useTranslation('drawings')
  const place = DRAWING_ACTIONS.findIndex((known) => known === action)
  const known = DRAWING_ACTIONS[place]
  return (
    <ActionTag place={place} action={action}>
      {known ? t(`actions.${known}`) : action || t('unknown')}
    </ActionTag>
  )
}

type CodeName = keyof typeof DRAWING_CODE

const CODE_NAMES = Object.keys(DRAWING_CODE) as CodeName[]

const CODE_TONES: Record<CodeName, Tone> = {
  notSubmitted: 'neutral',
  submitted: 'good',
  waiting: 'info',
  duplicate: 'warn',
}

/** How the vendor took the order. */
export function SubmitResult({ code }: { code: number }) {
  const { t } = useTranslation('drawings')
  const name = CODE_NAMES.find((known) => DRAWING_CODE[known] === code)
  return (
    <span title={String(code)}>
      <StatusTag tone={name ? CODE_TONES[name] : 'neutral'} plain>
        {name ? t(`codes.${name}`) : t('unknown')}
      </StatusTag>
    </span>
  )
}
