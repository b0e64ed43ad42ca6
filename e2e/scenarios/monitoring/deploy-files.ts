import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'

export const PROMETHEUS_FILES = fileURLToPath(new URL('../../../deploy/prometheus/', import.meta.url))
const DASHBOARD = fileURLToPath(new URL('../../../deploy/grafana/tidegate.json', import.meta.url))

export interface AlertRule {
  readonly alert: string
  readonly expr: string
  readonly for?: string
}

/** The file of alert rules, in the format of Prometheus. */
export interface RuleFile {
  readonly groups: readonly { readonly name: string; readonly rules: readonly AlertRule[] }[]
}

export async function readAlerts(): Promise<RuleFile> {
  return parse(await readFile(`${PROMETHEUS_FILES}alerts.yaml`, 'utf8')) as RuleFile
}

export interface PanelQuery {
  readonly panel: string
  readonly expr: string
}

/** The queries of the dashboard as Grafana sends them, for all processes of the job `tidegate`. */
export async function readPanelQueries(interval: string): Promise<PanelQuery[]> {
  const { panels } = JSON.parse(await readFile(DASHBOARD, 'utf8')) as {
    panels: { title: string; targets?: { expr: string }[] }[]
  }
  const values: Record<string, string> = { $__rate_interval: interval, $job: 'tidegate', $instance: '.+' }
  return panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({
      panel: title,
      expr: expr.replaceAll(/\$(__rate_interval|job|instance)/g, (name) => values[name]!),
    })),
  )
}
