// DEPS org.asynchttpclient:async-http-client:3.0.3
// CULPRIT org.buftrail.frameworks.AsyncHttp$Handler.refuse

package org.buftrail.frameworks;

import com.sun.net.httpserver.HttpServer;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.asynchttpclient.AsyncHandler;
import org.asynchttpclient.AsyncHttpClient;
import org.asynchttpclient.AsyncHttpClientConfig.ResponseBodyPartFactory;
import org.asynchttpclient.Dsl;
import org.asynchttpclient.HttpResponseBodyPart;
import org.asynchttpclient.HttpResponseStatus;
import org.asynchttpclient.netty.LazyResponseBodyPart;

/** A client that retains the parts of an answer, and keeps those that it refuses. */
final class AsyncHttp {
  public static void main(String[] args) throws Exception {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    HttpServer server = HttpServer.create(any, 0);
    server.createContext(
        "/orders",
        exchange -> {
          byte[] body = exchange.getRequestBody().readAllBytes();
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/orders";
    AsyncHttpClient client =
        Dsl.asyncHttpClient(Dsl.config().setResponseBodyPartFactory(ResponseBodyPartFactory.LAZY));
    Traffic.run(text -> client.preparePost(url).setBody(text).execute(new Handler()).get());
  }

  private static final class Handler implements AsyncHandler<Integer> {
    private int length;

    @Override
    public State onStatusReceived(HttpResponseStatus status) {
      return State.CONTINUE;
    }

    @Override
    public State onHeadersReceived(HttpHeaders headers) {
      return State.CONTINUE;
    }

    @Override
    public State onBodyPartReceived(HttpResponseBodyPart part) {
      ByteBuf bytes = ((LazyResponseBodyPart) part).getBodyByteBuf().retain();
      if (!bytes.isReadable() || !Traffic.isRefused(bytes.getByte(bytes.readerIndex()))) {
        length += bytes.readableBytes();
        bytes.release();
      } else {
        refuse(bytes);
      }
      return State.CONTINUE;
    }

    private void refuse(ByteBuf bytes) {
      length -= bytes.readableBytes();
    }

    @Override
    public void onThrowable(Throwable failure) {
      failure.printStackTrace();
    }

    @Override
    public Integer onCompleted() {
      return length;
    }
  }
}
