package org.buftrail.apps.micronaut;

import io.micronaut.core.io.buffer.ByteBuffer;
import io.micronaut.core.io.buffer.ReferenceCounted;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import java.nio.charset.StandardCharsets;

/** What the shop serves. */
@Controller
@Consumes(MediaType.ALL)
@Produces(MediaType.TEXT_PLAIN)
public class OrderController {
  /** A short answer. */
  @Get("/hello/{name}")
  public String hello(String name) {
    return "hello " + name;
  }

  /** A long one. */
  @Get("/catalogue")
  public String catalogue() {
    return "a line\n".repeat(3_000);
  }

  /** Counts letters, and releases the order, which is its own from now on. */
  @Post("/orders")
  public HttpResponse<String> order(@Body ByteBuffer<?> order) {
    String text = order.toString(StandardCharsets.UTF_8);
    if (text.equals("none")) {
      return refuse(order);
    }
    ((ReferenceCounted) order).release();
    return HttpResponse.ok(text.length() + " letters");
  }

  /** Forgets the release. */
  private static HttpResponse<String> refuse(ByteBuffer<?> order) {
    int bytes = order.readableBytes();
    return HttpResponse.<String>unprocessableEntity().body("no order in " + bytes + " bytes");
  }
}
