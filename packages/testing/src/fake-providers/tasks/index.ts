export { fakeTaskVendor, type FakeTaskVendor, type ReceivedInquiry, type ReceivedOrder } from './fake-task-provider.ts'
export { FAKE_IMAGE, FAKE_SONG, FAKE_VIDEO } from './serve-file.ts'
export type { FakeTaskStatus, InquiryScript, OrderScript, TaskStep } from './task-script.ts'
export type { FakeTaskKind } from './task-store.ts'
