"""Routes of the chat models and of the model settings."""

from litestar import Controller, delete, get, post, put
from litestar.di import NamedDependency
from litestar.params import JSONBody

from knowledgestack.core.identity import Person
from knowledgestack.models.contracts import (
    ChatModelPage,
    ChatServerChange,
    EmbeddingChangeRequest,
    ModelSettings,
    ModelTestOutcome,
    NearbyServerList,
)
from knowledgestack.models.service import ModelService


class ChatModelController(Controller):
    path = "/api/chat/models"
    tags = ("Models",)

    @get("/", operation_id="listChatModels")
    async def list_chat_models(
        self, person: NamedDependency[Person], model_service: NamedDependency[ModelService]
    ) -> ChatModelPage:
        return await model_service.chat_models(person)


class ModelSettingsController(Controller):
    path = "/api/settings/models"
    tags = ("Models",)

    @get("/", operation_id="readModelSettings")
    async def read_model_settings(
        self, person: NamedDependency[Person], model_service: NamedDependency[ModelService]
    ) -> ModelSettings:
        return await model_service.read_settings(person)

    @put("/chat", operation_id="saveChatServer")
    async def save_chat_server(
        self,
        person: NamedDependency[Person],
        model_service: NamedDependency[ModelService],
        data: JSONBody[ChatServerChange],
    ) -> ModelSettings:
        return await model_service.save_chat_server(person, data)

    @delete("/chat", operation_id="deleteChatServer", status_code=200)
    async def delete_chat_server(
        self, person: NamedDependency[Person], model_service: NamedDependency[ModelService]
    ) -> ModelSettings:
        return await model_service.delete_chat_server(person)

    @post("/chat/test", operation_id="testChatServer", status_code=200)
    async def test_chat_server(
        self,
        person: NamedDependency[Person],
        model_service: NamedDependency[ModelService],
        data: JSONBody[ChatServerChange],
    ) -> ModelTestOutcome:
        return await model_service.test_chat_server(person, data)

    @put("/embedding", operation_id="saveEmbeddingModel")
    async def save_embedding_model(
        self,
        person: NamedDependency[Person],
        model_service: NamedDependency[ModelService],
        data: JSONBody[EmbeddingChangeRequest],
    ) -> ModelSettings:
        return await model_service.save_embedding_model(person, data)

    @post("/embedding/test", operation_id="testEmbeddingModel", status_code=200)
    async def test_embedding_model(
        self,
        person: NamedDependency[Person],
        model_service: NamedDependency[ModelService],
        data: JSONBody[EmbeddingChangeRequest],
    ) -> ModelTestOutcome:
        return await model_service.test_embedding_model(person, data)

    @get("/nearby", operation_id="listNearbyModelServers")
    async def list_nearby_model_servers(
        self, person: NamedDependency[Person], model_service: NamedDependency[ModelService]
    ) -> NearbyServerList:
        return await model_service.nearby_servers(person)
