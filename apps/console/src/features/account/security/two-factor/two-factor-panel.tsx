import type { Security } from '@tidegate/contract/api'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../../../lib/toast.ts'
import { Button } from '../../../../ui/kit/index.ts'
import { StatusTag } from '../../../../ui/feedback/status-tag.tsx'
import { IsoTime } from '../iso-time.tsx'
import { Panel } from '../panel.tsx'
import { useBeginTotp, useDisableTotp, useRenewRecoveryCodes } from '../queries.ts'
import { LoadingRows, Row, Rows } from '../row.tsx'
import { useConfirm } from '../use-confirm.ts'
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx'
import { SetupDialog } from './setup-dialog.tsx'

/** Fewer than these, and it is time for new ones. */
const FEW = 3

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

interface Parts {
  /** Recovery codes were made and must be shown, this once. */
  onCodes(codes: string[]): void
}

function TurnedOff({ onCodes }: Parts) {
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
      <SetupDialog setup={setup} onClose={() => setSetup(null)} onCodes={finish} />
    </Rows>
  )
}

function TurnedOn({ totp, onCodes }: Parts & { totp: NonNullable<Security['totp']> }) {
  const { t } = useTranslation('security')
  const confirm = useConfirm()
  const disable = useDisableTotp()
  const renew = useRenewRecoveryCodes()
  const left = totp.recovery_codes_left
  const askToDisable = () =>
    confirm({
      title: t('twoFactor.offTitle'),
      text: t('twoFactor.offText'),
      action: t('twoFactor.turnOff'),
      onConfirm: async () => {
        await disable.mutateAsync()
        toast.success(t('twoFactor.offDone'))
      },
    })
  const askToRenew = () =>
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
        actions={<Button onClick={askToDisable}>{t('twoFactor.turnOff')}</Button>}
      />
      <Row
        title={t('twoFactor.codes')}
        tag={left < FEW && <StatusTag tone="warn">{t('twoFactor.few')}</StatusTag>}
        text={t('twoFactor.left', { count: left })}
        actions={<Button onClick={askToRenew}>{t('twoFactor.renew')}</Button>}
      />
    </Rows>
  )
}
