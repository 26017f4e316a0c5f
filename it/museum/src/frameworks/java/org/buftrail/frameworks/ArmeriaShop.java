// DEPS com.linecorp.armeria:armeria:1.40.0
// CULPRIT org.buftrail.frameworks.ArmeriaShop.refuse

package org.buftrail.frameworks;

import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.AggregationOptions;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServiceRequestContext;

/** Gets pooled bodies, and does not close those that it refuses. */
final class ArmeriaShop {
  public static void main(String[] args) throws Exception {
    Server server = Server.builder().http(0).service("/orders", ArmeriaShop::order).build();
    server.start().join();
    Traffic.run(text -> Traffic.post(server.activeLocalPort(), text));
  }

  private static HttpResponse order(ServiceRequestContext context, HttpRequest request) {
    return HttpResponse.of(
        request
            .aggregate(AggregationOptions.usePooledObjects(context.alloc(), context.eventLoop()))
            .thenApply(ArmeriaShop::answer));
  }

  private static HttpResponse answer(AggregatedHttpRequest request) {
    HttpData order = request.content();
    String text = order.toStringUtf8();
    if (text.startsWith("no")) {
      return refuse(order);
    }
    order.close();
    return HttpResponse.of(text);
  }

  private static HttpResponse refuse(HttpData order) {
    return order.isEmpty()
        ? HttpResponse.of(HttpStatus.BAD_REQUEST)
        : HttpResponse.of(HttpStatus.UNPROCESSABLE_ENTITY);
  }
}
