// DEPS io.micronaut:micronaut-http-server-netty:4.10.11
// DEPS io.micronaut:micronaut-jackson-databind:4.10.11
// PROCESSORS io.micronaut:micronaut-inject-java:4.10.11
// CULPRIT org.buftrail.frameworks.MicronautShop.refuse

package org.buftrail.frameworks;

import io.micronaut.context.ApplicationContext;
import io.micronaut.core.io.buffer.ByteBuffer;
import io.micronaut.core.io.buffer.ReferenceCounted;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.micronaut.runtime.server.EmbeddedServer;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** A controller that owns its bodies, and keeps those that it refuses. */
@Controller
@Consumes(MediaType.ALL)
@Produces(MediaType.TEXT_PLAIN)
public class MicronautShop {
  public static void main(String[] args) throws Exception {
    EmbeddedServer server =
        ApplicationContext.run(
            EmbeddedServer.class,
            Map.of("micronaut.server.port", -1, "micronaut.server.host", "127.0.0.1"));
    Traffic.run(text -> Traffic.post(server.getPort(), text));
  }

  @Post("/orders")
  public String order(@Body ByteBuffer<?> order) {
    String text = order.toString(StandardCharsets.UTF_8);
    if (text.startsWith("no")) {
      return refuse(order);
    }
    ((ReferenceCounted) order).release();
    return text;
  }

  private static String refuse(ByteBuffer<?> order) {
    return "refused " + order.readableBytes();
  }
}
