import type { RedirectService, SignInServiceName } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { TelegramDialog } from '../../../../components/auth/telegram-dialog.tsx'
import { Button } from '../../../../ui/kit/index.ts'
import { useDialog } from '../use-dialog.ts'
import { BIND_TRIP, useLeaveToBind } from './use-leave-to-bind.ts'
import { WeChatBinding } from './wechat-binding.tsx'

interface Props<Name extends SignInServiceName = SignInServiceName> {
  service: Name
  name: string
}

/** Begins a binding the way its service wants it: by leaving for it and coming back, or in a dialog here. */
export function BindButton({ service, name }: Props) {
  if (service === 'wechat') return <DialogButton service={service} name={name} />
  if (service === 'telegram') return <DialogButton service={service} name={name} />
  return <LeaveButton service={service} name={name} />
}

function LeaveButton({ service, name }: Props<RedirectService>) {
  const { t } = useTranslation('security')
  const { isLeaving, leave } = useLeaveToBind(service)
  return (
    <Button aria-label={t('bindings.bindOf', { name })} loading={isLeaving} onClick={leave}>
      {t('bind')}
    </Button>
  )
}

function DialogButton({ service, name }: Props<'wechat' | 'telegram'>) {
  const { t } = useTranslation('security')
  const dialog = useDialog(service)
  return (
    <>
      <Button aria-label={t('bindings.bindOf', { name })} onClick={dialog.open}>
        {t('bind')}
      </Button>
      {service === 'wechat' ? (
        <WeChatBinding open={dialog.isOpen} onClose={dialog.close} />
      ) : (
        <TelegramDialog open={dialog.isOpen} onClose={dialog.close} trip={BIND_TRIP} />
      )}
    </>
  )
}
