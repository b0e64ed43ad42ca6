import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Modal } from '../../ui/kit/index.ts'
import { beginRoundTrip, endRoundTrip, type RoundTrip } from './round-trip.ts'
import { TelegramWidget } from './telegram-widget.tsx'

interface Props {
  open: boolean
  onClose(): void
  trip: RoundTrip
}

/** Nothing of Telegram is loaded before somebody asks for it. */
export function TelegramDialog({ open, onClose, trip }: Props) {
  const { t } = useTranslation('entry')
  useDeparture(open, trip)
  return (
    <Modal
      title={t(`telegram.${trip.intent}Title`)}
      open={open}
      onCancel={onClose}
      footer={null}
      width={400}
      destroyOnHidden
    >
      <p className="secondary">{t(`telegram.${trip.intent}Hint`)}</p>
      <TelegramWidget />
    </Modal>
  )
}

/** Telegram's button leaves the page. Only a tab that showed it may come back with what Telegram has signed. */
function useDeparture(open: boolean, { intent, returnTo }: RoundTrip): void {
  useEffect(() => {
    if (!open) return
    beginRoundTrip({ intent, returnTo })
    return endRoundTrip
  }, [open, intent, returnTo])
}
