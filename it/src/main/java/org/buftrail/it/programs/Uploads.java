package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.multipart.DefaultHttpDataFactory;
import io.netty.handler.codec.http.multipart.FileUpload;
import io.netty.handler.codec.http.multipart.HttpDataFactory;
import io.netty.handler.codec.http.multipart.HttpPostRequestDecoder;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;

/** Takes uploads of 4 MiB in, which Netty has on disk, and hands them on. */
public final class Uploads {
  private static final String HEAD =
      "--xx\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a.bin\"\r\n"
          + "Content-Type: application/octet-stream\r\n\r\n";

  private Uploads() {}

  /** Runs the program; says how many bytes it took to hand each upload on. */
  public static void main(String[] args) throws Exception {
    upload(new DefaultHttpDataFactory(true), 4);
    upload(new DefaultHttpDataFactory(), 4);
    upload(new DefaultHttpDataFactory(false), 0);
  }

  private static void upload(HttpDataFactory factory, int mebibytes) throws Exception {
    HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/up");
    request.headers().set("Content-Type", "multipart/form-data; boundary=xx");
    HttpPostRequestDecoder decoder = new HttpPostRequestDecoder(factory, request);
    offer(decoder, text(HEAD));
    for (int i = 0; i < mebibytes; i++) {
      offer(decoder, Unpooled.wrappedBuffer(new byte[1 << 20]));
    }
    ByteBuf end = text("end\r\n--xx--\r\n");
    decoder.offer(new DefaultLastHttpContent(end));
    end.release();
    FileUpload upload = (FileUpload) decoder.next();
    accept(upload); // what must be loaded or linked for it once
    long before = allocated();
    accept(upload);
    System.out.print((allocated() - before) / 1024 + " KiB ");
    decoder.destroy();
  }

  private static void offer(HttpPostRequestDecoder decoder, ByteBuf content) {
    decoder.offer(new DefaultHttpContent(content));
    content.release();
  }

  private static ByteBuf text(String text) {
    return Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII);
  }

  private static long allocated() {
    return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean())
        .getThreadAllocatedBytes(Thread.currentThread().getId());
  }

  private static FileUpload accept(FileUpload upload) {
    return check(upload);
  }

  private static FileUpload check(FileUpload upload) {
    return store(upload);
  }

  private static FileUpload store(FileUpload upload) {
    return upload;
  }
}
