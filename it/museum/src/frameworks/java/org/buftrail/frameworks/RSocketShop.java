// DEPS io.rsocket:rsocket-transport-netty:1.1.5
// CULPRIT org.buftrail.frameworks.RSocketShop.refuse

package org.buftrail.frameworks;

import io.rsocket.Payload;
import io.rsocket.RSocket;
import io.rsocket.SocketAcceptor;
import io.rsocket.core.RSocketConnector;
import io.rsocket.core.RSocketServer;
import io.rsocket.frame.decoder.PayloadDecoder;
import io.rsocket.transport.netty.client.TcpClientTransport;
import io.rsocket.transport.netty.server.CloseableChannel;
import io.rsocket.transport.netty.server.TcpServerTransport;
import io.rsocket.util.DefaultPayload;
import reactor.core.publisher.Mono;

/** Gets payloads without a copy, and keeps those that it refuses. */
final class RSocketShop {
  public static void main(String[] args) throws Exception {
    CloseableChannel server =
        RSocketServer.create(
                SocketAcceptor.forRequestResponse(payload -> Mono.just(answer(payload))))
            .payloadDecoder(PayloadDecoder.ZERO_COPY)
            .bindNow(TcpServerTransport.create("127.0.0.1", 0));
    RSocket client =
        RSocketConnector.connectWith(TcpClientTransport.create(server.address())).block();
    Traffic.run(text -> client.requestResponse(DefaultPayload.create(text)).block());
  }

  private static Payload answer(Payload payload) {
    if (Traffic.isRefused(payload.data().getByte(payload.data().readerIndex()))) {
      return refuse(payload);
    }
    String text = payload.getDataUtf8();
    payload.release();
    return DefaultPayload.create(text);
  }

  private static Payload refuse(Payload payload) {
    return DefaultPayload.create("refused " + payload.data().readableBytes());
  }
}
