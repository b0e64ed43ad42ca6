import { SIGN_IN_SERVICES, type RedirectService, type Security, type SignInServiceName } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { errorText, isUnproved } from '../../../api/errors.ts'
import { useStatus } from '../../../api/status.ts'
import { useServiceRedirect, type PendingRedirect } from '../../../components/auth/redirect.ts'
import { enabledServices, ServiceMark, useServiceName } from '../../../components/auth/services.tsx'
import { TelegramDialog } from '../../../components/auth/telegram.tsx'
import { WeChatDialog } from '../../../components/auth/wechat.tsx'
import { toast } from '../../../lib/toast.ts'
import { StatusTag } from '../../../ui/feedback/status-tag.tsx'
import { Button } from '../../../ui/kit/index.ts'
import { useBindWeChat, useUnbind } from './api.ts'
import { useConfirm, useDialog } from './hooks.ts'
import { IsoTime, Row } from './parts.tsx'

type Identity = Security['identities'][number]

/** The services that are linked or enabled. */
export function ServiceRows({ identities }: { identities: readonly Identity[] }) {
  const enabled = enabledServices(useStatus())
  return SIGN_IN_SERVICES.map((service) => {
    const identity = identities.find((bound) => bound.service === service)
    const isEnabled = enabled.includes(service)
    return (
      (isEnabled || identity) && (
        <ServiceRow key={service} service={service} isEnabled={isEnabled} identity={identity} />
      )
    )
  })
}

interface ServiceRowProps {
  service: SignInServiceName
  isEnabled: boolean
  identity: Identity | undefined
}

function ServiceRow({ service, isEnabled, identity }: ServiceRowProps) {
  const { t } = useTranslation('security')
  const name = useServiceName()(service)
  const tag = !identity ? (
    <StatusTag tone="neutral">{t('notBound')}</StatusTag>
  ) : (
    !isEnabled && <StatusTag tone="warn">{t('bindings.off')}</StatusTag>
  )
  return (
    <Row
      icon={<ServiceMark service={service} />}
      title={name}
      tag={tag}
      text={identity ? <BoundAs {...identity} /> : t('bindings.unbound', { name })}
      actions={identity ? <UnbindButton service={service} name={name} /> : <BindButton service={service} name={name} />}
    />
  )
}

function BoundAs({ label, bound_at }: Identity) {
  const { t } = useTranslation('security')
  return (
    <>
      {label && <>{label} · </>}
      {t('bindings.since')} <IsoTime at={bound_at} />
    </>
  )
}

function UnbindButton({ service, name }: { service: SignInServiceName; name: string }) {
  const { t } = useTranslation('security')
  const confirm = useConfirm()
  const unbind = useUnbind()
  const confirmUnbind = () =>
    confirm({
      title: t('bindings.unbindTitle', { name }),
      text: t('bindings.unbindText', { name }),
      action: t('bindings.unbind'),
      onConfirm: () => unbind.mutateAsync(service),
      done: t('bindings.removed', { name }),
    })
  return (
    <Button aria-label={t('bindings.unbindOf', { name })} onClick={confirmUnbind}>
      {t('bindings.unbind')}
    </Button>
  )
}

interface BindButtonProps<Name extends SignInServiceName = SignInServiceName> {
  service: Name
  name: string
}

/** Links a service: WeChat and Telegram in a dialog, the others by a redirect. */
function BindButton({ service, name }: BindButtonProps) {
  if (service === 'wechat') return <DialogButton service={service} name={name} />
  if (service === 'telegram') return <DialogButton service={service} name={name} />
  return <RedirectButton service={service} name={name} />
}

const BIND_REDIRECT: PendingRedirect = { intent: 'bind', returnTo: '/app/me?tab=security' }

function RedirectButton({ service, name }: BindButtonProps<RedirectService>) {
  const { t } = useTranslation('security')
  const redirect = useServiceRedirect(BIND_REDIRECT)
  return (
    <Button
      aria-label={t('bindings.bindOf', { name })}
      loading={redirect.service !== null}
      onClick={() => redirect.redirectTo(service)}
    >
      {t('bind')}
    </Button>
  )
}

function DialogButton({ service, name }: BindButtonProps<'wechat' | 'telegram'>) {
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
        <TelegramDialog open={dialog.isOpen} onClose={dialog.close} redirect={BIND_REDIRECT} />
      )}
    </>
  )
}

function WeChatBinding({ open, onClose }: { open: boolean; onClose(): void }) {
  const { t } = useTranslation('security')
  const bind = useBindWeChat()
  const close = () => {
    bind.reset()
    onClose()
  }
  const submit = (code: string) =>
    bind.mutate(
      { code },
      {
        onSuccess: () => {
          close()
          toast.success(t('bindings.done', { name: t('bindings.wechat') }))
        },
      },
    )
  return (
    <WeChatDialog
      title={t('bindings.wechatTitle')}
      submitText={t('bind')}
      open={open}
      onClose={close}
      onSubmit={submit}
      isPending={bind.isPending}
      error={bind.error && !isUnproved(bind.error) ? errorText(bind.error) : ''}
    />
  )
}
