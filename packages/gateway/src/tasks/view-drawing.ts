import type { Settings } from '@tidegate/contract'
import { asJsonObject } from '@tidegate/dialects'
import type { StoredTask } from '../ports/index.ts'

type DrawingSettings = Pick<Settings, 'MjForwardUrlEnabled' | 'ServerAddress'>

/** A drawing in the words of the proxies its clients were written for. */
export function viewDrawing(task: StoredTask, settings: DrawingSettings, random = Math.random): object {
  const told = asJsonObject(task.data) ?? {}
  return {
    id: task.vendorId,
    action: task.action,
    customId: told.customId ?? '',
    botType: told.botType ?? '',
    prompt: task.prompt,
    promptEn: told.promptEn ?? '',
    description: told.description ?? '',
    state: told.state ?? '',
    submitTime: task.submittedAt.getTime(),
    startTime: task.startedAt?.getTime() ?? 0,
    finishTime: task.finishedAt?.getTime() ?? 0,
    imageUrl: imageAddress(task, settings, random),
    status: task.status,
    progress: `${task.progress}%`,
    failReason: task.failReason,
    buttons: told.buttons ?? [],
    maskBase64: told.maskBase64 ?? '',
    properties: told.properties ?? {},
  }
}

/** Ours where we stand in for the vendor. Until the drawing is done each answer has another: nobody keeps an old picture. */
function imageAddress(task: StoredTask, { MjForwardUrlEnabled, ServerAddress }: DrawingSettings, random: () => number) {
  if (task.resultUrl === '' || !MjForwardUrlEnabled) return task.resultUrl
  const address = `${ServerAddress}/mj/image/${encodeURIComponent(task.vendorId)}?key=${task.viewToken}`
  return task.status === 'SUCCESS' ? address : `${address}&rand=${Math.floor(random() * 1e9)}`
}
