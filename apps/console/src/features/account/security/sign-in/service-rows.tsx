import { SIGN_IN_SERVICES, type Security, type SignInServiceName } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { ServiceMark } from '../../../../components/auth/service-mark.tsx'
import { openServices, useServiceName } from '../../../../components/auth/service-names.ts'
import { useStatus } from '../../../../api/status.ts'
import { toast } from '../../../../lib/toast.ts'
import { Button } from '../../../../ui/kit/index.ts'
import { StatusTag } from '../../../../ui/feedback/status-tag.tsx'
import { IsoTime } from '../iso-time.tsx'
import { useUnbind } from '../queries.ts'
import { Row } from '../row.tsx'
import { useConfirm } from '../use-confirm.ts'
import { BindButton } from './bind-button.tsx'

type Identity = Security['identities'][number]

/** Bindings that exist, and those that could: a service that is neither bound nor switched on is not spoken of. */
export function ServiceRows({ identities }: { identities: readonly Identity[] }) {
  const open = openServices(useStatus())
  return SIGN_IN_SERVICES.map((service) => {
    const identity = identities.find((bound) => bound.service === service)
    const isOn = open.includes(service)
    return (isOn || identity) && <ServiceRow key={service} service={service} isOn={isOn} identity={identity} />
  })
}

interface Props {
  service: SignInServiceName
  isOn: boolean
  identity: Identity | undefined
}

function ServiceRow({ service, isOn, identity }: Props) {
  const { t } = useTranslation('security')
  const name = useServiceName()(service)
  const tag = !identity ? (
    <StatusTag tone="neutral">{t('notBound')}</StatusTag>
  ) : (
    !isOn && <StatusTag tone="warn">{t('bindings.off')}</StatusTag>
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
  const ask = () =>
    confirm({
      title: t('bindings.unbindTitle', { name }),
      text: t('bindings.unbindText', { name }),
      action: t('bindings.unbind'),
      onConfirm: async () => {
        await unbind.mutateAsync(service)
        toast.success(t('bindings.removed', { name }))
      },
    })
  return (
    <Button aria-label={t('bindings.unbindOf', { name })} onClick={ask}>
      {t('bindings.unbind')}
    </Button>
  )
}
