import { DesktopOutlined, MobileOutlined } from '@ant-design/icons'
import type { PushDevice } from '@tidegate/contract/api'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../../lib/toast.ts'
import { StatusTag } from '../../../ui/feedback/status-tag.tsx'
import { Button } from '../../../ui/kit/index.ts'
import { Time } from '../../../ui/page/time.tsx'
import { readUserAgent } from '../security/user-agent.ts'
import { useRemoveDevice } from './api.ts'
import styles from './push.module.css'

interface Props {
  devices: readonly PushDevice[]
  thisDevice: PushDevice | undefined
}

/** The browsers that receive push notifications. */
export function DeviceList({ devices, thisDevice }: Props) {
  const { t } = useTranslation('me')
  const heading = useId()
  if (devices.length === 0) return null
  return (
    <div>
      <h3 id={heading}>{t('push.devices')}</h3>
      <ul className={styles.rows} aria-labelledby={heading}>
        {devices.map((device) => (
          <DeviceRow key={device.id} device={device} isThisDevice={device === thisDevice} />
        ))}
      </ul>
    </div>
  )
}

const HAND_HELD = new Set(['iPhone', 'iPad', 'Android', 'HarmonyOS'])

function DeviceRow({ device, isThisDevice }: { device: PushDevice; isThisDevice: boolean }) {
  const { t } = useTranslation('me')
  const { browser, system } = readUserAgent(device.user_agent)
  const name = [browser, system].filter((part) => part !== null).join(' · ') || t('push.unknownDevice')
  const isHandHeld = system !== null && HAND_HELD.has(system)
  return (
    <li className={styles.row}>
      {isHandHeld ? <MobileOutlined aria-hidden /> : <DesktopOutlined aria-hidden />}
      <div className={styles.text}>
        <div className={styles.name}>
          <span title={device.user_agent}>{name}</span>
          {isThisDevice && <StatusTag tone="good">{t('push.thisDevice')}</StatusTag>}
        </div>
        <p className={styles.hint}>
          {t('push.added')} <IsoTime time={device.created_at} />
          {device.last_success_at && (
            <>
              {' · '}
              {t('push.lastSent')} <IsoTime time={device.last_success_at} />
            </>
          )}
        </p>
      </div>
      <RemoveButton id={device.id} name={name} isThisDevice={isThisDevice} />
    </li>
  )
}

function RemoveButton({ id, name, isThisDevice }: { id: number; name: string; isThisDevice: boolean }) {
  const { t } = useTranslation('me')
  const remove = useRemoveDevice()
  const onSuccess = () => toast.success(t('push.removed', { name }))
  return (
    <Button
      aria-label={t('push.removeOne', { name })}
      loading={remove.isPending}
      onClick={() => remove.mutate({ id, isThisDevice }, { onSuccess })}
    >
      {t('push.remove')}
    </Button>
  )
}

function IsoTime({ time }: { time: string }) {
  return <Time unixSeconds={Math.floor(Date.parse(time) / 1000)} />
}
