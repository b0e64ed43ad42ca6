export default {
  title: 'Giới thiệu {{name}}',
  failed: 'Không tải được trang giới thiệu',
  words:
    '{{name}} là cổng kết nối tới các mô hình AI: chỉ với một địa chỉ và một token, bạn gọi được mô hình của nhiều nhà cung cấp bằng chính ứng dụng OpenAI, Anthropic hoặc Gemini đang dùng.',
  next: 'Mỗi lượt gọi tốn bao nhiêu và vì sao đều có thể đối chiếu từng dòng trong nhật ký. Hãy <prices>xem bảng giá</prices> trước, hoặc <tokens>tạo một token</tokens> và dùng thử.',
  address: 'Địa chỉ API',
  version: 'Phiên bản',
  owner:
    'Đoạn này chỉ để giữ chỗ. Hãy viết nội dung của bạn trong <settings>Cài đặt hệ thống → Khác</settings>: Markdown, HTML hoặc địa chỉ một trang.',
}
