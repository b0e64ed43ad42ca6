import type { Security } from '@tidegate/contract/api'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../ui/kit/index.ts'
import { StatusTag } from '../../../ui/feedback/status-tag.tsx'
import { IsoTime, LoadingRows, Panel, Row, Rows } from './parts.tsx'
import { useBeginTotp, useDisableTotp, useRenewRecoveryCodes } from './api.ts'
import { useConfirm } from './hooks.ts'
import { RecoveryCodesDialog, TotpDialog } from './two-factor-dialogs.tsx'

/** Below this number, a tag recommends new codes. */
const FEW_CODES = 3

export function TwoFactorPanel({ security }: { security: Security | undefined }) {
  const { t } = useTranslation('security')
  const [codes, setCodes] = useState<string[] | null>(null)
  const totp = security?.totp
  return (
    <Panel
      title={t('twoFactor.title')}
      hint={t('twoFactor.hint')}
      tag={security && <StatusTag tone={totp ? 'good' : 'neutral'}>{t(totp ? 'on' : 'off')}</StatusTag>}
    >
      {!security ? (
        <LoadingRows />
      ) : totp ? (
        <TurnedOn totp={totp} onCodes={setCodes} />
      ) : (
        <TurnedOff onCodes={setCodes} />
      )}
      <RecoveryCodesDialog codes={codes} onDone={() => setCodes(null)} />
    </Panel>
  )
}

interface Props {
  /** Receives new recovery codes, which can be shown only once. */
  onCodes(codes: string[]): void
}

function TurnedOff({ onCodes }: Props) {
  const { t } = useTranslation('security')
  const begin = useBeginTotp()
  const [setup, setSetup] = useState<{ secret: string; uri: string } | null>(null)
  const finish = (codes: string[]) => {
    setSetup(null)
    onCodes(codes)
  }
  return (
    <Rows>
      <Row
        title={t('twoFactor.app')}
        text={t('twoFactor.appText')}
        actions={
          <Button
            type="primary"
            loading={begin.isPending}
            onClick={() => begin.mutate(undefined, { onSuccess: setSetup })}
          >
            {t('twoFactor.turnOn')}
          </Button>
        }
      />
      <TotpDialog setup={setup} onClose={() => setSetup(null)} onCodes={finish} />
    </Rows>
  )
}

function TurnedOn({ totp, onCodes }: Props & { totp: NonNullable<Security['totp']> }) {
  const { t } = useTranslation('security')
  const confirm = useConfirm()
  const disable = useDisableTotp()
  const renew = useRenewRecoveryCodes()
  const left = totp.recovery_codes_left
  const confirmDisable = () =>
    confirm({
      title: t('twoFactor.offTitle'),
      text: t('twoFactor.offText'),
      action: t('twoFactor.turnOff'),
      onConfirm: () => disable.mutateAsync(),
      done: t('twoFactor.offDone'),
    })
  const confirmRenew = () =>
    confirm({
      title: t('twoFactor.renewTitle'),
      text: t('twoFactor.renewText'),
      action: t('twoFactor.renew'),
      onConfirm: async () => onCodes((await renew.mutateAsync()).recovery_codes),
    })
  return (
    <Rows>
      <Row
        title={t('twoFactor.app')}
        text={
          <>
            {t('twoFactor.since')} <IsoTime at={totp.enabled_at} />
          </>
        }
        actions={<Button onClick={confirmDisable}>{t('twoFactor.turnOff')}</Button>}
      />
      <Row
        title={t('twoFactor.codes')}
        tag={left < FEW_CODES && <StatusTag tone="warn">{t('twoFactor.few')}</StatusTag>}
        text={t('twoFactor.left', { count: left })}
        actions={<Button onClick={confirmRenew}>{t('twoFactor.renew')}</Button>}
      />
    </Rows>
  )
}
