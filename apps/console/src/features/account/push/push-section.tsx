import type { PushDevice } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError, errorText } from '../../../api/errors.ts'
import { LoadError } from '../../../components/resource/load-error.tsx'
import { toast } from '../../../lib/toast.ts'
import { SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import { Button, Switch } from '../../../ui/kit/index.ts'
import { browserQuery, devicesQuery, useRemoveDevice, useTestPush, useTurnOn } from './api.ts'
import { DeviceList } from './device-list.tsx'
import styles from './push.module.css'

/** Push notifications: on or off for this browser, and the devices that receive them. */
export function PushSection() {
  const { t } = useTranslation('me')
  const { t: common } = useTranslation()
  const heading = useId()
  const devices = useQuery(devicesQuery)
  const browser = useQuery(browserQuery)
  const own = devices.data?.devices.find(({ endpoint_hash }) => endpoint_hash === browser.data?.endpointHash)
  return (
    <section className={styles.section} aria-labelledby={heading}>
      <div>
        <h2 id={heading}>{t('push.title')}</h2>
        <p className={styles.hint}>{t('push.hint')}</p>
      </div>
      {devices.data && browser.data ? (
        <>
          <ThisDevice support={browser.data.support} publicKey={devices.data.public_key} device={own} />
          <DeviceList devices={devices.data.devices} thisDevice={own} />
        </>
      ) : devices.error ? (
        <LoadError
          title={common('errors.loadFailed')}
          error={devices.error}
          retrying={devices.isFetching}
          onRetry={devices.refetch}
        />
      ) : (
        <SkeletonLines lines={2} />
      )}
    </section>
  )
}

interface ThisDeviceProps {
  support: 'unsupported' | 'install-first' | 'blocked' | 'supported'
  publicKey: string
  /** Undefined while this browser receives nothing. */
  device: PushDevice | undefined
}

const PROBLEMS = { unsupported: 'unsupported', 'install-first': 'installFirst', blocked: 'blocked' } as const

function ThisDevice({ support, publicKey, device }: ThisDeviceProps) {
  const { t } = useTranslation('me')
  const [control, state] = [useId(), useId()]
  const turnOn = useTurnOn()
  const remove = useRemoveDevice()
  const toggle = () => {
    if (device) return remove.mutate({ id: device.id, isThisDevice: true })
    const onError = (error: Error) => toast.error(error instanceof ApiError ? errorText(error) : t('push.failed'))
    turnOn.mutate({ publicKey, permission: Notification.requestPermission() }, { onError })
  }
  const stateName = support === 'supported' ? (device ? 'on' : 'off') : PROBLEMS[support]
  return (
    <div className={styles.choice}>
      <Switch
        id={control}
        aria-describedby={state}
        checked={device !== undefined}
        disabled={support !== 'supported'}
        loading={turnOn.isPending || remove.isPending}
        onChange={toggle}
      />
      <div className={styles.text}>
        <label htmlFor={control}>{t('push.receive')}</label>
        <p id={state} className={styles.hint}>
          {t(`push.state.${stateName}`)}
        </p>
        {support === 'supported' && device && <TestButton id={device.id} />}
      </div>
    </div>
  )
}

function TestButton({ id }: { id: number }) {
  const { t } = useTranslation('me')
  const test = useTestPush()
  const send = () =>
    test.mutate(id, {
      onSuccess: ({ status, error }) =>
        status === 'delivered' ? toast.success(t('push.testSent')) : toast.error(t('push.testFailed', { error })),
    })
  return (
    <Button className={styles.test} loading={test.isPending} onClick={send}>
      {t('push.test')}
    </Button>
  )
}
