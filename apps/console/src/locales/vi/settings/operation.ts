/** Names of the operation settings, and a line on what each is for. */
export default {
  TopUpLink: { label: 'Liên kết nạp tiền', help: 'Nơi bán mã; nút "Lấy mã" trong ví sẽ mở liên kết này' },
  general_setting_docs_link: {
    label: 'Liên kết tài liệu',
    help: 'Mục tài liệu trên thanh đầu trang; để trống thì ẩn',
  },
  general_setting_default_language: {
    label: 'Ngôn ngữ mặc định',
    help: 'Ngôn ngữ của lỗi và email khi yêu cầu không nêu ngôn ngữ (không có Accept-Language). Tự động: tiếng Anh cho /v1, tiếng Trung cho /api',
  },
  QuotaPerUnit: {
    label: 'Hạn mức mỗi đô la',
    help: '1 USD bằng bao nhiêu hạn mức. Thay đổi sẽ định giá lại mọi số dư và giá tính bằng đô la',
  },
  RetryTimes: {
    label: 'Số lần thử lại',
    help: 'Số lần thử kênh khác khi tắt tự động thử lại; 0 là không thử',
  },
  DisplayInCurrencyEnabled: { label: 'Hiển thị số tiền bằng đô la', help: 'Tắt: các trang hiển thị hạn mức' },
  DisplayTokenStatEnabled: {
    label: 'Số dư theo token',
    help: 'Truy vấn thanh toán trả về hạn mức của token thay vì số dư của người dùng',
  },
  DefaultCollapseSidebar: {
    label: 'Thu gọn thanh bên mặc định',
    help: 'Những gì khách mới thấy khi vào lần đầu',
  },
  DemoSiteEnabled: { label: 'Trang trình diễn', help: 'Chỉ quản trị viên cấp cao mới thay đổi được' },
  SelfUseModeEnabled: {
    label: 'Chế độ tự dùng',
    help: 'Chỉ cho riêng bạn: đóng đăng ký, mô hình chưa có giá vẫn dùng được',
  },

  QuotaForNewUser: { label: 'Hạn mức cho người dùng mới', help: 'Tặng khi đăng ký' },
  QuotaForInviter: { label: 'Hạn mức cho người mời', help: 'Tặng khi người được họ mời đăng ký' },
  QuotaForInvitee: { label: 'Hạn mức cho người được mời', help: 'Tặng thêm cho người đăng ký qua lời mời' },
  PreConsumedQuota: {
    label: 'Số token giữ trước',
    help: 'Giữ trước hạn mức cho chừng này token khi lượt gọi không nêu mức tối đa',
  },
  billing_max_output_tokens: {
    label: 'Đầu ra tối đa',
    help: 'Không yêu cầu nào được tạo nhiều token đầu ra hơn mức này; 0 là không giới hạn',
  },
  billing_assumed_output_tokens: {
    label: 'Đầu ra giả định',
    help: 'Số token giữ trước cho yêu cầu không có giới hạn đầu ra khi chưa biết mức tối đa của mô hình',
  },
  billing_disconnect_read_seconds: {
    label: 'Đọc sau khi ngắt kết nối',
    help: 'Thời gian tiếp tục đọc phản hồi để lấy mức sử dụng sau khi máy khách ngắt kết nối; 0 là dừng ngay',
  },
  AffEnabled: { label: 'Lời mời', help: 'Hiển thị liên kết mời và trao quà tặng' },

  RebateEnabled: { label: 'Hoa hồng', help: 'Người mời được hưởng một phần khi người họ mời nạp tiền hoặc đổi mã' },
  RebatePercentage: { label: 'Phần trăm hoa hồng', help: '0 đến 100, nhiều nhất hai chữ số thập phân' },

  CheckInEnabled: { label: 'Điểm danh', help: 'Người dùng được nhận hạn mức mỗi ngày một lần' },
  CheckInQuota: {
    label: 'Thưởng điểm danh',
    help: 'Mức thưởng cố định, hoặc mức thấp nhất khi có đặt mức tối đa',
  },
  CheckInMaxQuota: {
    label: 'Thưởng lớn nhất',
    help: 'Nếu lớn hơn mức thưởng: tặng ngẫu nhiên giữa hai mức; 0 là không ngẫu nhiên',
  },

  Chats: {
    label: 'Liên kết trò chuyện',
    help: 'Danh sách theo thứ tự, mỗi mục một tên và một liên kết; {key} và {address} được thay bằng token và máy chủ',
  },

  GroupRatio: { label: 'Hệ số nhóm', help: 'Các tên là những nhóm hiện có; con số nhân với giá của nhóm' },
  UserUsableGroups: {
    label: 'Nhóm cho mọi người',
    help: 'Những nhóm người dùng nào cũng chọn được, kèm mô tả hiển thị bên cạnh',
  },
  AutoGroups: {
    label: 'Các nhóm của auto',
    help: 'Danh sách theo thứ tự. Token thuộc nhóm auto dùng nhóm đầu tiên mà người dùng được phép dùng và có mô hình, tính phí theo hệ số của nhóm đó',
  },
  DefaultUseAutoGroup: { label: 'Token mới dùng auto', help: 'Token mới thuộc nhóm auto khi không chọn nhóm' },

  ModelRates: {
    label: 'Bảng giá chi tiết',
    help: 'Giá USD trên 1.000.000 token theo mô hình, có bậc giá và phí. Được ưu tiên hơn mọi giá khác',
  },
  ModelPrice: {
    label: 'Giá mô hình theo lượt',
    help: 'USD mỗi lượt gọi; mô hình có giá này không còn tính phí theo token',
  },
  ModelRatio: { label: 'Hệ số mô hình', help: 'Hệ số 1 là 2 USD cho một triệu token đầu vào' },
  CompletionRatio: { label: 'Hệ số đầu ra', help: 'Giá đầu ra gấp bao nhiêu lần giá đầu vào' },
  CacheRatio: { label: 'Hệ số cache', help: 'Giá đầu vào từ cache bằng bao nhiêu lần giá đầu vào' },

  fallback_pricing_enabled: {
    label: 'Giá dự phòng',
    help: 'Tính phí mô hình chưa có giá. Để chuyển giữa giá và hệ số, hãy tắt và lưu trước',
  },
  fallback_single_price: {
    label: 'Giá dự phòng theo lượt',
    help: 'USD mỗi lượt gọi; chọn mục này hoặc hai hệ số bên dưới',
  },
  fallback_input_ratio: { label: 'Hệ số đầu vào dự phòng', help: 'Đi cùng hệ số đầu ra' },
  fallback_completion_ratio: { label: 'Hệ số đầu ra dự phòng', help: 'Đi cùng hệ số đầu vào' },
  redirect_billing_enabled: {
    label: 'Tính phí theo mô hình được yêu cầu',
    help: 'Lượt gọi được kênh chuyển hướng sang mô hình khác vẫn tính phí theo tên được yêu cầu',
  },

  DrawingEnabled: { label: 'Vẽ', help: 'Hiện nhật ký vẽ trên thanh bên' },
  MjNotifyEnabled: {
    label: 'Callback từ nhà cung cấp',
    help: 'Cho họ biết địa chỉ máy chủ này; khi tắt, địa chỉ callback bị bỏ khỏi lượt gọi',
  },
  MjAccountFilterEnabled: { label: 'Lọc tài khoản', help: 'Client được chỉ định dùng tài khoản nào' },
  MjForwardUrlEnabled: {
    label: 'Phục vụ ảnh từ trang này',
    help: 'Địa chỉ ảnh của nhà cung cấp được đổi thành địa chỉ của trang này',
  },
  MjModeClearEnabled: { label: 'Bỏ cờ tốc độ', help: 'Bỏ --fast, --relax và --turbo khỏi prompt' },
  MjActionCheckSuccessEnabled: {
    label: 'Thao tác tiếp theo cần ảnh đã xong',
    help: 'Phóng to và biến thể phải chờ đến khi có ảnh',
  },
  TaskEnabled: { label: 'Tác vụ', help: 'Hiện nhật ký tác vụ trên thanh bên' },

  CheckSensitiveEnabled: { label: 'Từ bị chặn', help: 'Tắt: không thực hiện các kiểm tra bên dưới' },
  CheckSensitiveOnPromptEnabled: {
    label: 'Kiểm tra prompt',
    help: 'Lượt gọi có từ bị chặn sẽ bị từ chối và không rời khỏi trang',
  },
  SensitiveWords: {
    label: 'Danh sách từ bị chặn',
    help: 'Mỗi dòng một từ, không phân biệt hoa thường; dòng bắt đầu bằng regex: là biểu thức chính quy',
  },
  StopOnSensitiveEnabled: {
    label: 'Dừng trả lời khi gặp từ bị chặn',
    help: 'Giữ lại để tương thích: đầu ra không được kiểm tra',
  },
  StreamCacheQueueLength: {
    label: 'Độ dài hàng đợi stream',
    help: 'Giữ lại để tương thích: đầu ra không được kiểm tra',
  },

  LogConsumeEnabled: {
    label: 'Ghi lượt gọi',
    help: 'Tắt: không ghi dòng cho lượt gọi; tổng sử dụng và tính phí vẫn tiếp tục',
  },
  LogChatContentEnabled: {
    label: 'Ghi nội dung trò chuyện',
    help: 'Lưu prompt và câu trả lời; người dùng được báo trước',
  },
  LogErrorEnabled: {
    label: 'Ghi lỗi',
    help: 'Yêu cầu thất bại hoặc bị từ chối cũng được ghi; yêu cầu bị từ chối được giữ 7 ngày',
  },
  LogRetentionDays: {
    label: 'Số ngày giữ nhật ký',
    help: 'Dòng cũ hơn bị xóa, tổng sử dụng vẫn còn; 0 là giữ mãi',
  },
  LogRetentionGigabytes: {
    label: 'Dung lượng nhật ký',
    help: 'Khi vượt quá, những ngày cũ nhất bị xóa; 0 là không giới hạn',
  },
  LogChatContentDays: {
    label: 'Số ngày giữ nội dung trò chuyện',
    help: 'Có thể ngắn hơn nhật ký; 0 là lâu bằng nhật ký',
  },

  DataExportEnabled: {
    label: 'Tổng quan',
    help: 'Hiển thị số liệu sử dụng; tắt chỉ là ẩn đi, số liệu vẫn được lưu',
  },
  DataExportInterval: {
    label: 'Khoảng cách ghi',
    help: 'Giữ lại để tương thích: mức sử dụng được ghi mỗi lần tính phí',
  },
  DataExportDefaultTime: { label: 'Bước mặc định', help: 'Bước của biểu đồ khi mở trang tổng quan' },

  ChannelDisableThreshold: {
    label: 'Thời gian phản hồi dài nhất',
    help: 'Khi bật tự động tắt, kiểm tra tất cả kênh sẽ tắt kênh chậm hơn; 0 là không tắt vì chậm',
  },
  QuotaRemindThreshold: {
    label: 'Cảnh báo số dư thấp',
    help: 'Cảnh báo người dùng có số dư thấp hơn mà chưa tự đặt mức riêng; 0 là không cảnh báo ai',
  },
  AutomaticDisableChannelEnabled: {
    label: 'Tắt kênh bị lỗi',
    help: 'Lỗi nghiêm trọng của nhà cung cấp sẽ tắt kênh',
  },
  AutomaticEnableChannelEnabled: {
    label: 'Bật lại kênh đã phục hồi',
    help: 'Kênh bị tắt tự động được bật lại khi kiểm tra thành công',
  },
  AutomaticDisableKeywords: {
    label: 'Cụm từ lỗi nghiêm trọng',
    help: 'Mỗi dòng một cụm, không phân biệt hoa thường. Kênh bị tắt khi cụm từ xuất hiện hai lần trong thời gian ngắn trong lỗi của nhà cung cấp, hoặc một lần khi kiểm tra tất cả các kênh',
  },

  ShadowEnabled: {
    label: 'Chế độ bóng',
    help: 'Bản sao gửi tới /shadow được đánh giá và ghi lại: không gọi nhà cung cấp, không trừ tiền',
  },
  ShadowShare: { label: 'Tỷ lệ xem xét', help: 'Bao nhiêu bản sao nhận được sẽ được đánh giá; số còn lại bị bỏ qua' },
}
