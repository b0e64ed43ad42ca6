import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useIsPhone } from '../../lib/use-media.ts'
import { Modal } from '../../ui/kit/index.ts'
import { PaletteBox } from './palette-box.tsx'
import { closePalette, usePalette } from './use-palette.ts'

/** Above drawers and dialogs, which it may be opened over; below the notices. */
const LAYER = 1005

/** Everything there is to go to or to do, by typing. */
export function Palette({ open }: { open: boolean }) {
  const { t } = useTranslation('palette')
  const isPhone = useIsPhone()
  const field = useRef<HTMLInputElement>(null)
  return (
    <Modal
      open={open}
      title={t('title')}
      footer={null}
      closable={false}
      width={600}
      zIndex={LAYER}
      style={{ top: isPhone ? 8 : '12vh' }}
      styles={{ header: { display: 'none' }, container: { padding: 0, overflow: 'hidden' } }}
      // There at once and gone at once: it is a key away all day.
      transitionName=""
      maskTransitionName=""
      destroyOnHidden
      focusable={{ focusTriggerAfterClose: false }}
      onCancel={leave}
      // The dialog takes the focus first; whoever opens the palette goes on typing in it.
      afterOpenChange={(isOpen) => isOpen && field.current?.focus()}
    >
      <PaletteBox field={field} onLeave={leave} />
    </Modal>
  )
}

/** Closed without a choice, or after one that leads nowhere else: the person goes on where they were. */
function leave(): void {
  const { opener } = usePalette.getState()
  closePalette()
  // Once the dialog has let go of the focus.
  requestAnimationFrame(() => {
    if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true })
  })
}
