import { DownloadOutlined, ReloadOutlined } from '@ant-design/icons'
import { useMutation } from '@tanstack/react-query'
import { MOVEMENT_KINDS } from '@tidegate/contract/api'
import { Button, Select } from 'antd'
import { useTranslation } from 'react-i18next'
import { formatExactTime } from '../../../lib/format.ts'
import { fetchStatementFile } from '../queries.ts'
import { useRefresh } from '../use-refresh.ts'
import styles from '../wallet.module.css'
import { saveCsv } from '../../../lib/save-file.ts'

interface Props {
  /** Blank for all. */
  kind: string
  onChoose(kind: string): void
}

export function StatementBar({ kind, onChoose }: Props) {
  const { t } = useTranslation('wallet')
  const { t: common } = useTranslation()
  const { refresh, isRefreshing } = useRefresh()
  const download = useMutation({
    mutationFn: () => fetchStatementFile(kind),
    onSuccess: (text) => saveCsv(`statement-${today()}.csv`, text),
  })
  return (
    <search className={styles.above} aria-label={t('statement.filters')}>
      <Select
        className={styles.kinds}
        aria-label={t('statement.columns.kind')}
        value={kind}
        onChange={onChoose}
        popupMatchSelectWidth={false}
        options={[
          { value: '', label: t('statement.allKinds') },
          ...MOVEMENT_KINDS.map((one) => ({ value: one, label: t(`kinds.${one}`) })),
        ]}
      />
      <span className={styles.tools}>
        <Button
          icon={<DownloadOutlined aria-hidden />}
          loading={download.isPending}
          onClick={() => !download.isPending && download.mutate()}
        >
          {t('statement.export')}
        </Button>
        <Button icon={<ReloadOutlined aria-hidden />} loading={isRefreshing} onClick={refresh}>
          {common('refresh')}
        </Button>
      </span>
    </search>
  )
}

const today = () => formatExactTime(Date.now() / 1000).slice(0, 'yyyy-mm-dd'.length)
