// ISSUE spring-projects/spring-framework#26232
// DEPS org.springframework:spring-web:5.3.1
// DEPS org.springframework:spring-test:5.3.1
// DEPS io.projectreactor:reactor-core:3.4.1
// DEPS io.netty:netty-buffer:4.1.55.Final
// REPAIRED 5.3.2
// CULPRIT org.springframework.http.server.reactive.AbstractServerHttpResponse.writeWith
// INCLUDE org.springframework

package org.buftrail.museum;

import io.netty.buffer.PooledByteBufAllocator;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.NettyDataBufferFactory;
import org.springframework.mock.http.server.reactive.MockServerHttpResponse;
import reactor.core.publisher.Mono;

/** The connection is gone before the answer is written, and nobody releases the answer. */
final class CommittedResponse {
  public static void main(String[] args) throws Exception {
    Visits.run(CommittedResponse::answer);
  }

  private static void answer(boolean aborted) {
    NettyDataBufferFactory factory = new NettyDataBufferFactory(PooledByteBufAllocator.DEFAULT);
    MockServerHttpResponse response = new MockServerHttpResponse(factory);
    response.setWriteHandler(
        body -> {
          if (aborted) {
            throw new IllegalStateException("aborted");
          }
          return body.doOnNext(DataBufferUtils::release).then();
        });
    Mono<DataBuffer> body = Mono.fromCallable(() -> factory.allocateBuffer(64).write(new byte[8]));
    response.writeWith(body).onErrorResume(failure -> Mono.empty()).block();
  }
}
