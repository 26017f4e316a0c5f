// DEPS org.springframework:spring-webflux:7.0.10
// DEPS org.springframework:spring-context:7.0.10
// DEPS io.projectreactor.netty:reactor-netty-http:1.3.8
// CULPRIT org.buftrail.frameworks.WebSockets.refuse

package org.buftrail.frameworks;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.ReactorHttpHandlerAdapter;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.reactive.handler.SimpleUrlHandlerMapping;
import org.springframework.web.reactive.socket.WebSocketHandler;
import org.springframework.web.reactive.socket.WebSocketMessage;
import org.springframework.web.reactive.socket.server.support.WebSocketHandlerAdapter;
import org.springframework.web.server.adapter.WebHttpHandlerBuilder;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

/** Retains each message of Spring's, and keeps those that it refuses. */
final class WebSockets {
  /** What Spring is told. */
  static class Beans {
    @Bean
    DispatcherHandler webHandler() {
      return new DispatcherHandler();
    }

    @Bean
    HandlerMapping mapping() {
      WebSocketHandler orders =
          session ->
              session.send(
                  session
                      .receive()
                      .map(message -> answer(message.retain()))
                      .map(session::textMessage));
      return new SimpleUrlHandlerMapping(Map.of("/orders", orders), 1);
    }

    @Bean
    WebSocketHandlerAdapter adapter() {
      return new WebSocketHandlerAdapter();
    }
  }

  /** Waits for answers. */
  private static final class Answers implements WebSocket.Listener {
    final LinkedBlockingQueue<String> texts = new LinkedBlockingQueue<>();

    @Override
    public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
      texts.add(data.toString());
      socket.request(1);
      return null;
    }
  }

  public static void main(String[] args) throws Exception {
    AnnotationConfigApplicationContext context =
        new AnnotationConfigApplicationContext(Beans.class);
    HttpHandler handler = WebHttpHandlerBuilder.applicationContext(context).build();
    DisposableServer server =
        HttpServer.create()
            .host("127.0.0.1")
            .port(0)
            .handle(new ReactorHttpHandlerAdapter(handler))
            .bindNow();
    Answers answers = new Answers();
    WebSocket client =
        HttpClient.newHttpClient()
            .newWebSocketBuilder()
            .buildAsync(URI.create("ws://127.0.0.1:" + server.port() + "/orders"), answers)
            .get();
    Traffic.run(
        text -> {
          client.sendText(text, true).get();
          answers.texts.take();
        });
  }

  private static String answer(WebSocketMessage message) {
    String text = message.getPayloadAsText();
    if (text.startsWith("no")) {
      return refuse(message);
    }
    message.release();
    return text;
  }

  private static String refuse(WebSocketMessage message) {
    return "refused a " + message.getType();
  }
}
