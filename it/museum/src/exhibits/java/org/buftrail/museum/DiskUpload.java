// ISSUE netty/netty#10360
// DEPS io.netty:netty-codec-http:4.1.50.Final
// REPAIRED 4.1.51.Final
// CULPRIT io.netty.handler.codec.http.multipart.AbstractDiskHttpData.addContent
// INCLUDE io.netty.handler.codec.http

package org.buftrail.museum;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.handler.codec.http.multipart.DiskFileUpload;
import java.io.IOException;

/** What came in several pieces is copied to be written to the disk, and the copy stays. */
final class DiskUpload {
  public static void main(String[] args) throws Exception {
    Visits.run(DiskUpload::upload);
  }

  private static void upload(boolean inPieces) throws IOException {
    ByteBuf first = PooledByteBufAllocator.DEFAULT.directBuffer().writeLong(1);
    ByteBuf body = first;
    if (inPieces) {
      ByteBuf second = PooledByteBufAllocator.DEFAULT.directBuffer().writeLong(2);
      body =
          PooledByteBufAllocator.DEFAULT.compositeDirectBuffer().addComponents(true, first, second);
    }
    DiskFileUpload upload = new DiskFileUpload("f", "f", "text/plain", null, null, 0);
    upload.addContent(body, true);
    upload.delete();
  }
}
